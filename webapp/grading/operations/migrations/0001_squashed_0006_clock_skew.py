import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('operations', '0001_initial'),
        ('operations', '0002_grader_key'),
        ('operations', '0003_signs'),
        ('operations', '0004_resending'),
        ('operations', '0005_sign_since'),
        ('operations', '0006_clock_skew'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Grader',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('public_key', models.CharField(blank=True, max_length=64)),
                ('seen_at', models.DateTimeField()),
                ('skew_seconds', models.FloatField(null=True)),
                ('is_healthy', models.BooleanField()),
                ('report_json', models.TextField()),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='Sign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('at', models.DateTimeField()),
                ('lag_seconds', models.FloatField(default=0)),
                ('skew_seconds', models.FloatField(null=True)),
                ('since', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Resending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requested_at', models.DateTimeField()),
                ('evaluations', models.JSONField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('sent', models.PositiveIntegerField(default=0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-requested_at', '-pk'),
            },
        ),
    ]

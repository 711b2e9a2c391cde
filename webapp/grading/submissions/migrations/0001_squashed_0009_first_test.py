import django.core.validators
import django.db.models.deletion
import webapp.base.interfaces
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('submissions', '0001_initial'),
        ('submissions', '0002_interfaces_and_notes'),
        ('submissions', '0003_haskell'),
        ('submissions', '0004_refused_uploads'),
        ('submissions', '0005_any_interface'),
        ('submissions', '0006_dates'),
        ('submissions', '0007_life'),
        ('submissions', '0008_kept_uploads'),
        ('submissions', '0009_first_test'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('uploaded_at', models.DateTimeField()),
                ('filename', models.CharField(max_length=120)),
                ('sha256', models.CharField(max_length=64, validators=[django.core.validators.RegexValidator('^[0-9a-f]{64}$')])),
                ('size_bytes', models.PositiveIntegerField()),
                ('interface', models.CharField(choices=webapp.base.interfaces.choices, default='python', max_length=20)),
                ('status', models.CharField(choices=[('received', 'received'), ('checked', 'compiled'), ('smoke_tested', 'tested'), ('ready', 'ready'), ('rejected', 'rejected')], default='received', max_length=12)),
                ('messages', models.JSONField(blank=True, default=list)),
                ('notes', models.JSONField(blank=True, default=list)),
                ('build_log', models.TextField(blank=True)),
                ('sources_removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('warning', models.CharField(blank=True, max_length=300)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='courses.team')),
                ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-uploaded_at', '-pk'),
                'indexes': [
                    models.Index(fields=['team', 'status', 'uploaded_at'], name='submission_counted'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('team', 'number'), name='submission_number_unique'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['received', 'checked', 'smoke_tested', 'ready', 'rejected'])), name='submission_status_known'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='submission_number_from_one'),
                    models.CheckConstraint(condition=models.Q(('interface', ''), _negated=True), name='submission_has_an_interface'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Choice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chosen_at', models.DateTimeField()),
                ('chosen_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='courses.team')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='submissions.submission')),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='KeptUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('filename', models.CharField(max_length=120)),
                ('data', models.BinaryField()),
                ('interface', models.CharField(blank=True, max_length=20)),
                ('agent_class', models.CharField(blank=True, max_length=100)),
                ('at', models.DateTimeField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='courses.assignment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'assignment'), name='kept_upload_once')],
            },
        ),
        migrations.CreateModel(
            name='RefusedUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'at'], name='refused_upload_user_at')],
            },
        ),
    ]

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('lifecycle', '0001_life'),
        ('lifecycle', '0002_any_points'),
        ('lifecycle', '0003_course_import'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GradeRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('course', models.CharField(max_length=120)),
                ('term', models.CharField(blank=True, max_length=40)),
                ('assignment', models.CharField(max_length=120)),
                ('team', models.CharField(max_length=32)),
                ('members', models.PositiveSmallIntegerField()),
                ('points', models.DecimalField(decimal_places=2, max_digits=8)),
                ('full_points', models.DecimalField(decimal_places=2, max_digits=8)),
                ('penalty_percent', models.DecimalField(decimal_places=2, max_digits=5)),
                ('mean', models.FloatField()),
                ('scheme', models.JSONField()),
                ('graded_at', models.DateTimeField()),
                ('was_current', models.BooleanField()),
                ('kept_since', models.DateTimeField()),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='CourseImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requested_at', models.DateTimeField()),
                ('slug', models.SlugField()),
                ('stage', models.CharField(choices=[('queued', 'waits for the background worker'), ('reading', 'reads the rows'), ('checking', 'derives the grades again'), ('writing', 'writes the course'), ('done', 'imported'), ('refused', 'not imported')], default='queued', max_length=8)),
                ('rows', models.PositiveIntegerField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('touched_at', models.DateTimeField()),
                ('answer', models.TextField(blank=True)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('stage__in', ['queued', 'reading', 'checking', 'writing', 'done', 'refused'])), name='course_import_stage_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ImportPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('course_import', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='lifecycle.courseimport')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [
                    models.UniqueConstraint(fields=('course_import', 'number'), name='import_part_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Retention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sources_days', models.PositiveIntegerField(blank=True, help_text='Uploaded programs, with the names of their files.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('records_days', models.PositiveIntegerField(blank=True, help_text='Games: moves, times and scores of each. Grades and figures stay.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('prints_days', models.PositiveIntegerField(blank=True, help_text='Output that agents printed in practice games.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('logs_days', models.PositiveIntegerField(blank=True, help_text='Output of compilers, and of programs when they failed.', null=True, validators=[django.core.validators.MaxValueValidator(36500)])),
                ('course', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='retention', to='courses.course')),
            ],
            options={
                'verbose_name_plural': 'retention',
            },
        ),
    ]

import secrets
import uuid

import django.db.models.deletion
from django.db import migrations, models


def name_site(apps, schema_editor):
    """Give the site its name at the broker."""
    apps.get_model("jobs", "SiteIdentity").objects.create(pk=1, name=secrets.token_hex(8))


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('jobs', '0001_initial'),
        ('jobs', '0002_rows'),
        ('jobs', '0003_columns'),
        ('jobs', '0004_ladders'),
        ('jobs', '0005_losses'),
        ('jobs', '0006_human_games'),
        ('jobs', '0007_failed_builds'),
        ('jobs', '0008_lines'),
        ('jobs', '0009_turns'),
        ('jobs', '0010_sent_index'),
        ('jobs', '0011_tournament_audits'),
        ('jobs', '0012_waiting_in_order'),
        ('jobs', '0013_site_identity'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        ('evaluations', '0001_squashed_0018_seen_flags'),
        ('ladders', '0001_squashed_0002_help_texts'),
        ('playing', '0001_initial'),
        ('tournaments', '0001_squashed_0003_seen_flags'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('queue', models.CharField(choices=[('smoke', 'smoke'), ('practice', 'practice'), ('graded', 'graded'), ('audits', 'audits'), ('live', 'live'), ('ladder', 'ladder')], max_length=10)),
                ('payload', models.JSONField(blank=True, default=dict)),
                ('n_games', models.PositiveIntegerField()),
                ('seconds', models.FloatField(default=0)),
                ('turn_at', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('losses', models.PositiveSmallIntegerField(default=0)),
                ('status', models.CharField(choices=[('queued', 'queued'), ('playing', 'playing'), ('finished', 'finished'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('send_after', models.DateTimeField(blank=True, null=True)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('sent_to', models.CharField(blank=True, max_length=10)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('system_fault', models.TextField(blank=True)),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('claimed_by', models.CharField(blank=True, max_length=64)),
                ('audit', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='evaluations.audit')),
                ('course', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='courses.course')),
                ('evaluation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='evaluations.evaluation')),
                ('human_game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='playing.humangame')),
                ('ladder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ladders.ladder')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='courses.team')),
                ('tournament', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournaments.tournament')),
                ('tournament_audit', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournaments.tournamentaudit')),
            ],
            options={
                'ordering': ('pk',),
                'indexes': [
                    models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['status', 'lease_until'], name='job_lease'),
                    models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['status', 'queue', 'course', 'turn_at', 'id'], name='job_waiting'),
                    models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['status', 'queue', 'course', 'created_at'], name='job_oldest'),
                    models.Index(condition=models.Q(('sent_at__isnull', False)), fields=['course', 'queue', 'sent_at'], name='job_served'),
                    models.Index(condition=models.Q(('sent_at__isnull', False)), fields=['status', 'queue', 'sent_at'], name='job_sent'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'playing', 'finished', 'failed', 'cancelled'])), name='job_status_known'),
                    models.CheckConstraint(condition=models.Q(('queue__in', ['smoke', 'practice', 'graded', 'audits', 'live', 'ladder'])), name='job_queue_known'),
                    models.CheckConstraint(condition=models.Q(('attempt__gte', 1), ('attempt__lte', 3)), name='job_attempts'),
                    models.CheckConstraint(condition=models.Q(('n_games__gte', 1)), name='job_has_games'),
                    models.CheckConstraint(condition=models.Q(models.Q(('audit__isnull', True), ('evaluation__isnull', False), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', False), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', False), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', False)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', False), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', False), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), _connector='OR'), name='job_of_one_owner'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FailedBuild',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='failed_builds', to='jobs.job')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('job', 'number'), name='failed_build_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SiteIdentity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=16)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='one_site_identity'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='site_identity_has_name')],
            },
        ),
        migrations.RunPython(name_site, migrations.RunPython.noop),
    ]

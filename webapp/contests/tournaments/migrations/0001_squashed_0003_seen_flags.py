import django.db.models.deletion
import uuid
import webapp.contests.tournaments.models.tournament
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('tournaments', '0001_initial'),
        ('tournaments', '0002_audits'),
        ('tournaments', '0003_seen_flags'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        ('submissions', '0001_squashed_0009_first_test'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('status', models.CharField(choices=[('queued', 'queued'), ('playing', 'playing'), ('finished', 'finished'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=10)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('system_fault', models.TextField(blank=True)),
                ('title', models.CharField(max_length=120)),
                ('spec', models.JSONField()),
                ('secret', models.BinaryField(default=webapp.contests.tournaments.models.tournament.new_secret)),
                ('commitment', models.CharField(editable=False, max_length=64)),
                ('stage', models.CharField(choices=[('hidden', 'hidden'), ('participants', 'participants'), ('results', 'results')], default='hidden', max_length=12)),
                ('requested_at', models.DateTimeField()),
                ('n_games', models.PositiveIntegerField()),
                ('games_done', models.PositiveIntegerField(default=0)),
                ('faults', models.PositiveIntegerField(default=0)),
                ('standings_json', models.TextField(blank=True)),
                ('cross_play_json', models.TextField(blank=True)),
                ('summed_up_at', models.DateTimeField(blank=True, null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='courses.assignment')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-requested_at', '-pk'),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'playing', 'finished', 'failed', 'cancelled'])), name='tournament_status_known'),
                    models.CheckConstraint(condition=models.Q(('stage__in', ['hidden', 'participants', 'results'])), name='tournament_stage_known'),
                    models.CheckConstraint(condition=models.Q(('games_done__lte', models.F('n_games')), ('n_games__gte', 1)), name='tournament_at_most_n_games'),
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'finished'), _negated=True), models.Q(('finished_at__isnull', False), ('games_done', models.F('n_games')), models.Q(('standings_json', ''), _negated=True)), _connector='OR'), name='tournament_finished_is_complete'),
                    models.CheckConstraint(condition=models.Q(('commitment', ''), _negated=True), name='tournament_secret_is_committed'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('entrant', 'entrant'), ('reference', 'reference'), ('filler', 'filler')], max_length=10)),
                ('name', models.CharField(max_length=80)),
                ('house_agent', models.CharField(blank=True, max_length=40)),
                ('agent', models.JSONField()),
                ('excluded_from_round', models.PositiveIntegerField(blank=True, null=True)),
                ('exclusion_reason', models.CharField(blank=True, max_length=200)),
                ('excluded_at', models.DateTimeField(blank=True, null=True)),
                ('excluded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submission', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tournaments', to='submissions.submission')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='tournaments.tournament')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'number'), name='participant_number'),
                    models.UniqueConstraint(condition=models.Q(('submission__isnull', False)), fields=('tournament', 'submission'), name='participant_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('house_agent', ''), ('role', 'entrant'), ('submission__isnull', False)), models.Q(('role__in', ['reference', 'filler']), ('submission__isnull', True), models.Q(('house_agent', ''), _negated=True)), _connector='OR'), name='participant_is_team_or_house'),
                    models.CheckConstraint(condition=models.Q(models.Q(('excluded_from_round__isnull', True), ('exclusion_reason', '')), models.Q(('excluded_at__isnull', False), ('excluded_from_round__isnull', False), models.Q(('exclusion_reason', ''), _negated=True)), _connector='OR'), name='participant_exclusion_has_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TournamentAudit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('n_games', models.PositiveSmallIntegerField()),
                ('seed', models.BigIntegerField()),
                ('status', models.CharField(choices=[('queued', 'queued'), ('finished', 'finished'), ('failed', 'failed')], default='queued', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('report_json', models.TextField(blank=True)),
                ('flags', models.PositiveSmallIntegerField(default=0)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('seen_note', models.CharField(blank=True, max_length=200)),
                ('system_fault', models.TextField(blank=True)),
                ('claimed_by', models.CharField(blank=True, max_length=64)),
                ('indices', models.JSONField(default=list)),
                ('participant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='audit', to='tournaments.participant')),
                ('seen_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
                'abstract': False,
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'finished', 'failed'])), name='tournamentaudit_status_known'),
                    models.CheckConstraint(condition=models.Q(('n_games__gte', 1)), name='tournamentaudit_has_games'),
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'finished'), _negated=True), models.Q(models.Q(('report_json', ''), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='tournamentaudit_finished_has_report'),
                    models.CheckConstraint(condition=models.Q(models.Q(('seen_at__isnull', True), ('seen_by__isnull', True), ('seen_note', '')), models.Q(('flags__gte', 1), ('seen_at__isnull', False), ('seen_by__isnull', False), models.Q(('seen_note', ''), _negated=True)), _connector='OR'), name='tournamentaudit_seen_has_note'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TournamentGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scores', models.JSONField(default=list)),
                ('ending', models.CharField(max_length=20)),
                ('fault_kind', models.CharField(blank=True, max_length=12)),
                ('fault_seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('fault_turn', models.IntegerField(blank=True, null=True)),
                ('fault_detail', models.TextField(blank=True)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('packed', models.BinaryField(default=bytes)),
                ('wall_ms', models.FloatField(default=0)),
                ('max_charged_us', models.PositiveIntegerField(default=0)),
                ('index', models.PositiveIntegerField()),
                ('seating', models.CharField(max_length=400)),
                ('table', models.PositiveIntegerField()),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='tournaments.tournament')),
            ],
            options={
                'ordering': ('index', 'pk'),
                'constraints': [
                    models.UniqueConstraint(fields=('tournament', 'index', 'seating'), name='tournament_game_once'),
                    models.CheckConstraint(condition=models.Q(('fault_kind', ''), ('fault_kind__in', ['timeout', 'idle', 'crash', 'memory', 'output', 'malformed', 'illegal', 'forbidden']), _connector='OR'), name='tournament_game_fault_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('fault_kind', ''), ('fault_seat__isnull', True)), models.Q(models.Q(('fault_kind', ''), _negated=True), ('fault_seat__isnull', False)), _connector='OR'), name='tournament_game_fault_has_seat'),
                ],
            },
        ),
    ]

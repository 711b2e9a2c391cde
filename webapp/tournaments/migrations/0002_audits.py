import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    """Agents of a tournament are audited."""

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
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
                ('system_fault', models.TextField(blank=True)),
                ('claimed_by', models.CharField(blank=True, max_length=64)),
                ('indices', models.JSONField(default=list)),
                ('participant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='audit', to='tournaments.participant')),
            ],
            options={
                'ordering': ('pk',),
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'finished', 'failed'])), name='tournamentaudit_status_known'), models.CheckConstraint(condition=models.Q(('n_games__gte', 1)), name='tournamentaudit_has_games'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'finished'), _negated=True), models.Q(models.Q(('report_json', ''), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='tournamentaudit_finished_has_report')],
            },
        ),
    ]

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Take over the table of batches, with all its rows."""

    initial = True

    dependencies = [
        ('evaluations', '0009_batches_become_jobs'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Job',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ('evaluation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='evaluations.evaluation')),
                        ('tournament', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournaments.tournament')),
                        ('table', models.JSONField(blank=True, null=True)),
                        ('ranges', models.JSONField()),
                        ('n_games', models.PositiveIntegerField()),
                        ('attempt', models.PositiveSmallIntegerField(default=1)),
                        ('check_first', models.BooleanField(default=False)),
                        ('status', models.CharField(choices=[('queued', 'queued'), ('playing', 'playing'), ('finished', 'finished'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=10)),
                        ('created_at', models.DateTimeField()),
                        ('send_after', models.DateTimeField(blank=True, null=True)),
                        ('sent_at', models.DateTimeField(blank=True, null=True)),
                        ('lease_until', models.DateTimeField(blank=True, null=True)),
                        ('system_fault', models.TextField(blank=True)),
                        ('worker', models.CharField(blank=True, max_length=200)),
                        ('claimed_by', models.CharField(blank=True, max_length=64)),
                    ],
                    options={
                        'db_table': 'evaluations_batch',
                        'ordering': ('pk',),
                        'indexes': [models.Index(fields=['status', 'lease_until'], name='batch_lease')],
                        'constraints': [
                            models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'playing', 'finished', 'failed', 'cancelled'])), name='batch_status_known'),
                            models.CheckConstraint(condition=models.Q(('attempt__gte', 1), ('attempt__lte', 3)), name='batch_attempts'),
                            models.CheckConstraint(condition=models.Q(('n_games__gte', 1)), name='batch_has_games'),
                            models.CheckConstraint(condition=models.Q(models.Q(('evaluation__isnull', False), ('table__isnull', True), ('tournament__isnull', True)), models.Q(('evaluation__isnull', True), ('table__isnull', False), ('tournament__isnull', False)), _connector='OR'), name='batch_of_one_asker'),
                        ],
                    },
                ),
            ],
        ),
        migrations.RemoveConstraint(model_name='job', name='batch_status_known'),
        migrations.RemoveConstraint(model_name='job', name='batch_attempts'),
        migrations.RemoveConstraint(model_name='job', name='batch_has_games'),
        migrations.RemoveConstraint(model_name='job', name='batch_of_one_asker'),
        migrations.AlterModelTable(name='job', table=None),
        migrations.RenameIndex(model_name='job', old_name='batch_lease', new_name='job_lease'),
        migrations.AddField(
            model_name='job',
            name='audit',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='evaluations.audit'),
        ),
        migrations.AddField(
            model_name='job',
            name='payload',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='job',
            name='queue',
            field=models.CharField(default='graded', max_length=10),
        ),
        migrations.AlterField(
            model_name='job',
            name='ranges',
            field=models.JSONField(default=list),
        ),
    ]

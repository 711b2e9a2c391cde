import django.db.models.deletion
import uuid
import webapp.contests.playing.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HumanGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('seat', models.PositiveSmallIntegerField()),
                ('seats', models.JSONField()),
                ('game', models.CharField(max_length=20)),
                ('rules_version', models.PositiveIntegerField()),
                ('options', models.JSONField()),
                ('limits', models.JSONField()),
                ('deal_seed', models.CharField(default=webapp.contests.playing.models.new_deal, max_length=64)),
                ('actions', models.TextField(blank=True)),
                ('turns', models.PositiveIntegerField(default=0)),
                ('charged_us', models.JSONField(default=list)),
                ('status', models.CharField(choices=[('playing', 'being played'), ('finished', 'finished'), ('faulted', 'ended by a fault'), ('left', 'you left the game'), ('idle', 'ended because nobody acted'), ('failed', 'ended by a fault of ours')], default='playing', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('acted_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('fault', models.JSONField(blank=True, null=True)),
                ('printed', models.TextField(blank=True)),
                ('differs_at', models.PositiveIntegerField(blank=True, null=True)),
                ('system_fault', models.TextField(blank=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_games', to='courses.assignment')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_games', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
                'indexes': [models.Index(fields=['status', 'acted_at'], name='human_game_idle'), models.Index(fields=['person', 'status'], name='human_game_person')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['playing', 'finished', 'faulted', 'left', 'idle', 'failed'])), name='human_game_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('status', 'playing')), models.Q(models.Q(('status', 'playing'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='human_game_ended_at'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'faulted'), _negated=True), ('fault__isnull', False), _connector='OR'), name='human_game_fault')],
            },
        ),
    ]

import django.core.validators
import django.db.models.deletion
import uuid
import webapp.contests.ladders.models.ladder
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('ladders', '0001_initial'),
        ('ladders', '0002_help_texts'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        ('submissions', '0001_squashed_0009_first_test'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('spec', models.JSONField()),
                ('secret', models.BinaryField(default=webapp.contests.ladders.models.ladder.new_secret)),
                ('half_width', models.FloatField(default=0.5, help_text='An agent needs no more games once its rating is known to ± this many points.', validators=[django.core.validators.MinValueValidator(0.05), django.core.validators.MaxValueValidator(10.0)])),
                ('max_games', models.PositiveIntegerField(default=1000, help_text='An agent also needs no more games after this many.', validators=[django.core.validators.MinValueValidator(10), django.core.validators.MaxValueValidator(10000)])),
                ('versions', models.PositiveSmallIntegerField(default=2, help_text='How many of a team’s latest accepted submissions play, each with a rating.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10)])),
                ('opened_at', models.DateTimeField()),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('paused_because', models.TextField(blank=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('n_games', models.PositiveIntegerField(default=0)),
                ('standings_json', models.TextField(blank=True)),
                ('summed_up_at', models.DateTimeField(blank=True, null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ladders', to='courses.assignment')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('assignment',), name='ladder_one_open'),
                    models.CheckConstraint(condition=models.Q(('half_width__gt', 0), ('max_games__gte', 1), ('versions__gte', 1)), name='ladder_can_be_played'),
                ],
            },
        ),
        migrations.CreateModel(
            name='LadderEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField(default=0)),
                ('house_agent', models.CharField(blank=True, max_length=40)),
                ('agent', models.JSONField()),
                ('ms_per_game', models.FloatField(blank=True, null=True)),
                ('entered_at', models.DateTimeField()),
                ('departure', models.CharField(blank=True, choices=[('', 'plays'), ('replaced', 'a later version took its place'), ('withdrawn', 'withdrawn'), ('faulty', 'its faults ended too many games'), ('unbuildable', 'it could not be built')], default='', max_length=12)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='ladders.ladder')),
                ('submission', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ladder_entries', to='submissions.submission')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [
                    models.UniqueConstraint(fields=('ladder', 'number'), name='ladder_entry_number'),
                    models.UniqueConstraint(condition=models.Q(('submission__isnull', False)), fields=('ladder', 'submission'), name='ladder_entry_once'),
                    models.UniqueConstraint(condition=models.Q(('house_agent', ''), _negated=True), fields=('ladder', 'house_agent'), name='ladder_entry_house_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('house_agent', ''), ('submission__isnull', False), ('version__gte', 1)), models.Q(('submission__isnull', True), ('version', 0), models.Q(('house_agent', ''), _negated=True)), _connector='OR'), name='ladder_entry_is_team_or_house'),
                    models.CheckConstraint(condition=models.Q(models.Q(('departure', ''), ('left_at__isnull', True)), models.Q(models.Q(('departure', ''), _negated=True), ('left_at__isnull', False)), _connector='OR'), name='ladder_entry_left_at_some_time'),
                    models.CheckConstraint(condition=models.Q(('departure__in', ['', 'replaced', 'withdrawn', 'faulty', 'unbuildable'])), name='ladder_entry_departure_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='LadderGame',
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
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='ladders.ladder')),
            ],
            options={
                'ordering': ('index',),
                'constraints': [
                    models.UniqueConstraint(fields=('ladder', 'index'), name='ladder_game_once'),
                    models.CheckConstraint(condition=models.Q(('fault_kind', ''), ('fault_kind__in', ['timeout', 'idle', 'crash', 'memory', 'output', 'malformed', 'illegal', 'forbidden']), _connector='OR'), name='ladder_game_fault_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('fault_kind', ''), ('fault_seat__isnull', True)), models.Q(models.Q(('fault_kind', ''), _negated=True), ('fault_seat__isnull', False)), _connector='OR'), name='ladder_game_fault_has_seat'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TableRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('round', models.PositiveIntegerField()),
                ('members', models.CharField(max_length=400)),
                ('n_games', models.PositiveSmallIntegerField()),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='ladders.ladder')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [
                    models.UniqueConstraint(fields=('ladder', 'number'), name='ladder_table_number'),
                ],
            },
        ),
    ]

import django.db.models.deletion
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('gradebook', '0001_initial'),
        ('gradebook', '0002_changed_schemes'),
        ('gradebook', '0003_dates'),
        ('gradebook', '0004_manual_points_and_regrades'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        ('evaluations', '0001_squashed_0018_seen_flags'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Grade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mean', models.FloatField()),
                ('points', models.DecimalField(decimal_places=2, max_digits=8)),
                ('full_points', models.DecimalField(decimal_places=2, max_digits=8)),
                ('penalty_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), max_digits=5)),
                ('scheme', models.JSONField()),
                ('graded_at', models.DateTimeField()),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('is_current', models.BooleanField(default=True)),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('evaluation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='evaluations.evaluation')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='courses.team')),
            ],
            options={
                'ordering': ('-graded_at', '-pk'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('team',), name='grade_one_current'), models.UniqueConstraint(condition=models.Q(('changed_by__isnull', True)), fields=('evaluation',), name='grade_once_an_evaluation'), models.CheckConstraint(condition=models.Q(('points__gte', 0)), name='grade_not_negative'), models.CheckConstraint(condition=models.Q(('penalty_percent__gte', 0), ('penalty_percent__lte', 100)), name='grade_penalty_in_range')],
            },
        ),
        migrations.CreateModel(
            name='ManualPoints',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(blank=True, max_length=60)),
                ('points', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('replaces', models.BooleanField(default=False)),
                ('comment', models.TextField(blank=True, max_length=2000)),
                ('reason', models.CharField(max_length=200)),
                ('given_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='manual_points', to='courses.assignment')),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='manual_points', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-given_at', '-pk'),
                'indexes': [models.Index(fields=['assignment', 'user'], name='manual_points_of_student')],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='manual_points_have_reason'), models.CheckConstraint(condition=models.Q(('replaces', False), ('points__gte', 0), _connector='OR'), name='manual_points_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='RegradeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=4000)),
                ('asked_at', models.DateTimeField()),
                ('points', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('outcome', models.CharField(choices=[('open', 'open'), ('kept', 'points stay'), ('changed', 'points changed'), ('replayed', 'games played again')], default='open', max_length=8)),
                ('answer', models.TextField(blank=True, max_length=4000)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='regrade_requests', to='courses.assignment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='regrade_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-asked_at', '-pk'),
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='regrade_request_has_text'), models.CheckConstraint(condition=models.Q(('outcome__in', ['open', 'kept', 'changed', 'replayed'])), name='regrade_outcome_known'), models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('outcome', 'open')), models.Q(models.Q(('outcome', 'open'), _negated=True), models.Q(('answer', ''), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='regrade_answer_has_reason'), models.UniqueConstraint(condition=models.Q(('outcome', 'open')), fields=('assignment', 'user'), name='regrade_one_open_a_student')],
            },
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        ('submissions', '0001_squashed_0009_first_test'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Comparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('requested_at', models.DateTimeField()),
                ('own', models.JSONField()),
                ('earlier', models.JSONField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('typical_share', models.FloatField(default=0.0)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='source_comparisons', to='courses.assignment')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-requested_at', '-pk'),
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('finished_at__isnull', True)), fields=('assignment',), name='comparison_one_open'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SimilarPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField()),
                ('shared', models.PositiveIntegerField()),
                ('first_share', models.FloatField()),
                ('second_share', models.FloatField()),
                ('packed', models.BinaryField()),
                ('comparison', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='similarity.comparison')),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='submissions.submission')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='submissions.submission')),
            ],
            options={
                'ordering': ('place',),
                'constraints': [
                    models.UniqueConstraint(fields=('comparison', 'place'), name='similar_pair_place'),
                    models.CheckConstraint(condition=models.Q(('first', models.F('second')), _negated=True), name='similar_pair_of_two_submissions'),
                ],
            },
        ),
        migrations.CreateModel(
            name='SourcePrints',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scheme', models.CharField(max_length=40)),
                ('packed', models.BinaryField()),
                ('failure', models.CharField(blank=True, max_length=300)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='source_prints', to='submissions.submission')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('failure', ''), ('packed', b''), _connector='OR'), name='source_prints_or_a_failure'),
                ],
            },
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """Remove the columns whose content is in ``queue`` and ``payload``."""

    dependencies = [
        ('jobs', '0002_rows'),
    ]

    operations = [
        migrations.RemoveField(model_name='job', name='table'),
        migrations.RemoveField(model_name='job', name='ranges'),
        migrations.RemoveField(model_name='job', name='check_first'),
        migrations.AlterField(
            model_name='job',
            name='queue',
            field=models.CharField(choices=[('smoke', 'smoke'), ('practice', 'practice'), ('graded', 'graded'), ('audits', 'audits')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'playing', 'finished', 'failed', 'cancelled'])), name='job_status_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('queue__in', ['smoke', 'practice', 'graded', 'audits'])), name='job_queue_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('attempt__gte', 1), ('attempt__lte', 3)), name='job_attempts'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('n_games__gte', 1)), name='job_has_games'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('audit__isnull', True), ('evaluation__isnull', False), ('tournament__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('tournament__isnull', False)), models.Q(('audit__isnull', False), ('evaluation__isnull', True), ('tournament__isnull', True)), _connector='OR'), name='job_of_one_owner'),
        ),
    ]

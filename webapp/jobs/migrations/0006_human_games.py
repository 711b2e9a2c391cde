import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """People's games own jobs, in a queue of their own."""

    dependencies = [
        ('jobs', '0005_losses'),
        ('playing', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='job',
            name='job_queue_known',
        ),
        migrations.RemoveConstraint(
            model_name='job',
            name='job_of_one_owner',
        ),
        migrations.AddField(
            model_name='job',
            name='human_game',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='playing.humangame'),
        ),
        migrations.AlterField(
            model_name='job',
            name='queue',
            field=models.CharField(choices=[('smoke', 'smoke'), ('practice', 'practice'), ('graded', 'graded'), ('audits', 'audits'), ('live', 'live'), ('ladder', 'ladder')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('queue__in', ['smoke', 'practice', 'graded', 'audits', 'live', 'ladder'])), name='job_queue_known'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('audit__isnull', True), ('evaluation__isnull', False), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', False)), models.Q(('audit__isnull', False), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', False), ('tournament__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', False), ('ladder__isnull', True), ('tournament__isnull', True)), _connector='OR'), name='job_of_one_owner'),
        ),
    ]

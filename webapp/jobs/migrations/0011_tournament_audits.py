import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Audits of tournaments own jobs."""

    dependencies = [
        ('jobs', '0010_sent_index'),
        ('tournaments', '0002_audits'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='job',
            name='job_of_one_owner',
        ),
        migrations.AddField(
            model_name='job',
            name='tournament_audit',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournaments.tournamentaudit'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('audit__isnull', True), ('evaluation__isnull', False), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', False), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', False), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', False)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', True), ('ladder__isnull', False), ('tournament__isnull', True), ('tournament_audit__isnull', True)), models.Q(('audit__isnull', True), ('evaluation__isnull', True), ('human_game__isnull', False), ('ladder__isnull', True), ('tournament__isnull', True), ('tournament_audit__isnull', True)), _connector='OR'), name='job_of_one_owner'),
        ),
    ]

from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    dependencies = [
        ('evaluations', '0005_opponents'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='batch',
            name='table',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='batch',
            name='tournament',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='tournaments.tournament'),
        ),
        migrations.AlterField(
            model_name='batch',
            name='evaluation',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='evaluations.evaluation'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('evaluation__isnull', False), ('table__isnull', True), ('tournament__isnull', True)), models.Q(('evaluation__isnull', True), ('table__isnull', False), ('tournament__isnull', False)), _connector='OR'), name='batch_of_one_asker'),
        ),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from 0013: PostgreSQL alters no table with rows that were changed just before."""

    dependencies = [
        ('courses', '0013_dates'),
    ]

    operations = [
        migrations.AlterField(
            model_name='extension',
            name='assignment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='courses.assignment'),
        ),
        migrations.AddConstraint(
            model_name='extension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('team__isnull', True), ('user__isnull', False)), models.Q(('team__isnull', False), ('user__isnull', True)), _connector='OR'), name='extension_of_a_team_or_a_student'),
        ),
    ]

from django.db import migrations


class Migration(migrations.Migration):
    """The table stays as it is, and goes on as that of ``jobs.Job``."""

    dependencies = [
        ('evaluations', '0008_claims'),
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name='Batch')],
        ),
    ]

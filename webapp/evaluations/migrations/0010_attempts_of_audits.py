from django.db import migrations


class Migration(migrations.Migration):
    """Attempts of audits are jobs."""

    dependencies = [
        ('evaluations', '0009_batches_become_jobs'),
        ('jobs', '0002_rows'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='audit', name='audit_attempts'),
        migrations.RemoveField(model_name='audit', name='attempt'),
        migrations.RemoveField(model_name='audit', name='lease_until'),
        migrations.RemoveField(model_name='audit', name='send_after'),
        migrations.RemoveField(model_name='audit', name='sent_at'),
    ]

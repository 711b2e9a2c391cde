from django.db import migrations, models


class Migration(migrations.Migration):
    """Jobs that wait are found in the order of their turns; each kind of jobs has its own index."""

    dependencies = [
        ('jobs', '0011_tournament_audits'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='job',
            name='job_lease',
        ),
        migrations.RemoveIndex(
            model_name='job',
            name='job_served',
        ),
        migrations.RemoveIndex(
            model_name='job',
            name='job_waiting',
        ),
        migrations.RemoveIndex(
            model_name='job',
            name='job_sent',
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['status', 'lease_until'], name='job_lease'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['status', 'queue', 'course', 'turn_at', 'id'], name='job_waiting'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['status', 'queue', 'course', 'created_at'], name='job_oldest'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', False)), fields=['course', 'queue', 'sent_at'], name='job_served'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', False)), fields=['status', 'queue', 'sent_at'], name='job_sent'),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """Jobs in flight are found by an index that SQLite uses, too."""

    dependencies = [
        ('jobs', '0009_turns'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='job',
            name='job_in_flight',
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['status', 'queue', 'sent_at'], name='job_sent'),
        ),
    ]

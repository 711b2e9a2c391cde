import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Jobs wait in the lines of their courses, and know the queue that they were sent to."""

    dependencies = [
        ('courses', '0001_initial'),
        ('jobs', '0007_failed_builds'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='course',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='courses.course'),
        ),
        migrations.AddField(
            model_name='job',
            name='team',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='courses.team'),
        ),
        migrations.AddField(
            model_name='job',
            name='seconds',
            field=models.FloatField(default=0),
        ),
        migrations.AddField(
            model_name='job',
            name='turn_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='job',
            name='sent_to',
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['course', 'queue', 'sent_at'], name='job_served'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', True), ('status', 'queued')), fields=['queue', 'course', 'turn_at'], name='job_waiting'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('sent_at__isnull', False), ('status__in', ('queued', 'playing'))), fields=['queue', 'course'], name='job_in_flight'),
        ),
    ]

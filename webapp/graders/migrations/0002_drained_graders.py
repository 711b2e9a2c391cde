from django.db import migrations, models


class Migration(migrations.Migration):
    """A grader can be told to take no new work."""

    dependencies = [
        ('graders', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='graderkey',
            name='drained_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]

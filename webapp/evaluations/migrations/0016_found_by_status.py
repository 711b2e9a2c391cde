from django.db import migrations, models


class Migration(migrations.Migration):
    """Failed evaluations and those of house agents are found without reading all others."""

    dependencies = [
        ('evaluations', '0015_life'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='evaluation',
            index=models.Index(fields=['assignment', 'status'], name='evaluation_status'),
        ),
        migrations.AddIndex(
            model_name='evaluation',
            index=models.Index(fields=['assignment', 'house_agent'], name='evaluation_house'),
        ),
    ]

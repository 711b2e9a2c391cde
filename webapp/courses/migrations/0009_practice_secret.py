import hashlib

import webapp.courses.models.assignment
from django.db import migrations, models

FIRST = hashlib.sha256(b"firebox practice deals").digest()
"""The practice secret of every assignment until now. They keep it: games that were played, and
those that teams compare them with, are on its deals."""


class Migration(migrations.Migration):

    dependencies = [
        ('courses', '0008_plain_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='practice_secret',
            field=models.BinaryField(default=FIRST, editable=False),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='practice_secret',
            field=models.BinaryField(default=webapp.courses.models.assignment.default_practice_secret, editable=False),
        ),
    ]

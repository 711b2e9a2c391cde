"""Tokens get a scope and end with the password. Those that exist keep what they were able to do."""

import hashlib
from typing import Any

from django.db import migrations, models


def _fill(apps: Any, schema_editor: Any) -> None:
    tokens = apps.get_model("accounts", "AccessToken")
    for token in tokens.objects.select_related("user").iterator():
        token.password_digest = hashlib.sha256(token.user.password.encode()).hexdigest()
        token.save(update_fields=["password_digest"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_visitors_games")]

    operations = [
        migrations.AddField(
            "accesstoken",
            "scope",
            models.CharField(
                choices=[("read", "read results"), ("upload", "upload and read results")],
                default="upload",
                max_length=6,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "accesstoken",
            "password_digest",
            models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(_fill, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            "accesstoken",
            models.CheckConstraint(
                condition=models.Q(("scope__in", ["read", "upload"])),
                name="access_token_scope_known",
            ),
        ),
    ]

"""Each site gets a name of its own at the broker."""

import secrets
from typing import Any

from django.db import migrations, models


def _name_site(apps: Any, schema_editor: Any) -> None:
    apps.get_model("jobs", "SiteIdentity").objects.create(pk=1, name=secrets.token_hex(8))


class Migration(migrations.Migration):
    dependencies = [("jobs", "0012_waiting_in_order")]

    operations = [
        migrations.CreateModel(
            "SiteIdentity",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=16)),
            ],
            options={
                "constraints": (
                    models.CheckConstraint(
                        condition=models.Q(("pk", 1)), name="one_site_identity"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="site_identity_has_name",
                    ),
                ),
            },
        ),
        migrations.RunPython(_name_site, migrations.RunPython.noop, elidable=True),
    ]

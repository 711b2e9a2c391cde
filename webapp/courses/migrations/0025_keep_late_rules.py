"""Assignments that students have seen keep their dates and points: the rules for late days, extra
time and the best upload as they were."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def keep(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Mark the assignments that are open or have been."""
    assignments = apps.get_model("courses", "Assignment").objects.using(editor.connection.alias)
    opened = assignments.filter(opens_at__lte=timezone.now())
    opened.update(has_plain_days=True)
    opened.filter(counts="best").update(counts="mean")


def forget(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Call the rule by its name in earlier versions."""
    assignments = apps.get_model("courses", "Assignment").objects.using(editor.connection.alias)
    assignments.filter(counts="mean").update(counts="best")


class Migration(migrations.Migration):
    dependencies = [("courses", "0024_late_rules")]

    operations = [migrations.RunPython(keep, forget)]

"""Makes the table of Django's cache, which all processes of the site share."""

from django.core.management import call_command
from django.db import migrations


def make_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_dates")]
    operations = [migrations.RunPython(make_table, migrations.RunPython.noop)]

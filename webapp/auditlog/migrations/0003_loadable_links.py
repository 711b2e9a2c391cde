from django.db import migrations

from webapp.auditlog.triggers import install_in


class Migration(migrations.Migration):
    """The chain of the log can be loaded into PostgreSQL: triggers look at rows, not statements."""

    dependencies = [('auditlog', '0002_erasable_words')]

    operations = [migrations.RunPython(install_in, migrations.RunPython.noop)]

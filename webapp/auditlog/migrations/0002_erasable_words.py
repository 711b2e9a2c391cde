from django.db import migrations, models

from webapp.auditlog import triggers
from webapp.auditlog.digests import digest_of, first_digest, new_salt, words_digest_of

AT_ONCE = 1000


def begin_again(apps, _):
    """Give each act the digest of its words, and link all of them by it.

    What was linked before keeps its digest beside the new one, which follows from the last of them.
    """
    Act = apps.get_model("auditlog", "Act")
    Link = apps.get_model("auditlog", "Link")
    for rows in parts(Act.objects.order_by("pk")):
        for row in rows:
            row.salt = new_salt()
            row.words_digest = words_digest_of(row)
        Act.objects.bulk_update(rows, ["salt", "words_digest"])
    last = Link.objects.order_by("-position").first()
    if last is None:
        return
    digest = first_digest(last.digest)
    for links in parts(Link.objects.select_related("act").order_by("position"), "position"):
        for link in links:
            digest = digest_of(link.act, digest)
            link.earlier_digest, link.digest = link.digest, digest
        Link.objects.bulk_update(links, ["digest", "earlier_digest"])


def parts(rows, key="pk"):
    """Yield all rows, some at a time, in the order of ``key``."""
    reached = 0
    while part := list(rows.filter(**{f"{key}__gt": reached})[:AT_ONCE]):
        yield part
        reached = getattr(part[-1], key)


def go_back(apps, _):
    """Link by the earlier digests again. What was written since is linked anew, a minute later."""
    Link = apps.get_model("auditlog", "Link")
    Link.objects.filter(earlier_digest="").delete()
    Link.objects.update(digest=models.F("earlier_digest"))


class Migration(migrations.Migration):

    dependencies = [
        ('auditlog', '0001_acts'),
    ]

    operations = [
        migrations.RunPython(triggers.remove_in, triggers.install_in),
        migrations.AddField('act', 'salt', models.CharField(default='', editable=False, max_length=32)),
        migrations.AddField('act', 'words_digest', models.CharField(default='', editable=False, max_length=64)),
        migrations.AddField('act', 'erases', models.JSONField(default=list, editable=False)),
        migrations.AddField('link', 'earlier_digest', models.CharField(default='', editable=False, max_length=64)),
        migrations.RunPython(begin_again, go_back),
        migrations.RunPython(triggers.install_in, triggers.remove_in),
    ]

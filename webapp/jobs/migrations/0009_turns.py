from django.db import migrations
from django.db.models import F, OuterRef, Q, Subquery

OPEN = ("queued", "playing")
OWNERS = {
    "evaluation": ("evaluations", "Evaluation", "assignment__course"),
    "tournament": ("tournaments", "Tournament", "assignment__course"),
    "audit": ("evaluations", "Audit", "evaluation__assignment__course"),
    "ladder": ("ladders", "Ladder", "assignment__course"),
    "human_game": ("playing", "HumanGame", "assignment__course"),
}


def line_up(apps, schema_editor):
    """Give open jobs a place in the line of their course; note where the others lie."""
    Job = apps.get_model("jobs", "Job")
    sent = Job.objects.filter(sent_at__isnull=False)
    sent.filter(Q(status__in=OPEN) | Q(lease_until__isnull=True)).update(sent_to=F("queue"))
    waiting = Job.objects.filter(status__in=OPEN)
    waiting.update(turn_at=F("created_at"))
    for field, (app, model, course) in OWNERS.items():
        owner = apps.get_model(app, model).objects.filter(pk=OuterRef(field))
        found = Subquery(owner.order_by().values(course)[:1])
        waiting.filter(**{f"{field}__isnull": False}).update(course=found)
    owner = apps.get_model("evaluations", "Evaluation").objects.filter(pk=OuterRef("evaluation"))
    team = Subquery(owner.order_by().values("submission__team")[:1])
    waiting.filter(evaluation__isnull=False).update(team=team)


class Migration(migrations.Migration):
    """Jobs that wait keep their places in the line."""

    dependencies = [
        ('evaluations', '0014_keeps_prints'),
        ('ladders', '0001_initial'),
        ('playing', '0001_initial'),
        ('tournaments', '0001_initial'),
        ('jobs', '0008_lines'),
    ]

    operations = [
        migrations.RunPython(line_up, migrations.RunPython.noop, elidable=True),
    ]

from django.db import migrations
from django.db.models import OuterRef, Subquery

CHUNK = 500


def write_queues(apps, schema_editor):
    """Evaluations wait in the queue of their kind, tournaments with graded ones."""
    Job = apps.get_model('jobs', 'Job')
    Evaluation = apps.get_model('evaluations', 'Evaluation')
    kind = Evaluation.objects.filter(pk=OuterRef('evaluation_id')).values('kind')[:1]
    Job.objects.filter(evaluation__isnull=False).update(queue=Subquery(kind))


def write_payloads(apps, schema_editor):
    """Write what a job asks for, as its owner reads it."""
    Job = apps.get_model('jobs', 'Job')
    last = 0
    while rows := list(Job.objects.filter(pk__gt=last).order_by('pk')[:CHUNK]):
        for row in rows:
            games = {'ranges': row.ranges, 'check_first': row.check_first}
            row.payload = games if row.table is None else row.table
        Job.objects.bulk_update(rows, ['payload'])
        last = rows[-1].pk


def add_jobs_of_audits(apps, schema_editor):
    """An audit's latest attempt becomes a job; of a closed one, no message lies in a queue."""
    Job = apps.get_model('jobs', 'Job')
    Audit = apps.get_model('evaluations', 'Audit')
    last = 0
    while audits := list(Audit.objects.filter(pk__gt=last).order_by('pk')[:CHUNK]):
        Job.objects.bulk_create(_job(Job, audit) for audit in audits)
        last = audits[-1].pk


def _job(Job, audit):
    is_open = audit.status == 'queued'
    return Job(
        audit=audit,
        queue='audits',
        n_games=audit.n_games,
        attempt=audit.attempt,
        status=audit.status,
        created_at=audit.created_at,
        send_after=audit.send_after,
        sent_at=audit.sent_at,
        lease_until=audit.lease_until
        if is_open
        else audit.lease_until or audit.finished_at or audit.created_at,
        system_fault=audit.system_fault if audit.status == 'failed' else '',
        claimed_by=audit.claimed_by,
    )


class Migration(migrations.Migration):
    dependencies = [
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(write_queues, elidable=True),
        migrations.RunPython(write_payloads, elidable=True),
        migrations.RunPython(add_jobs_of_audits, elidable=True),
    ]

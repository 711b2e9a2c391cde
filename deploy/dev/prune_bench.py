#!/usr/bin/env python3
"""Measures how a million games are thrown away: time, memory, and how long other writers wait.

    python deploy/dev/prune_bench.py [ROWS]

On a database of its own: SQLite in a temporary directory, or an empty one in DATABASE_URL.
"""

import os
import resource
import sys
import tempfile
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webapp.evaluations.models import Evaluation

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 10_000
GAMES = 1000
"""Games of an evaluation."""
PACKED = 400
"""Bytes of an ordinary game, packed."""


def main() -> None:
    """Make the rows, throw them away, print the figures."""
    n_rows = int(sys.argv[1]) if sys.argv[1:] else 1_000_000
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIREBOX_VAR_DIR"] = folder
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        make_rows(n_rows)
        measure(n_rows)


def make_rows(n_rows: int) -> None:
    """Make an archived course with evaluations of a thousand games each, ``games`` in all."""
    from webapp.evaluations.models import GameResult

    evaluations = make_evaluations(-(-n_rows // GAMES))
    packed = os.urandom(PACKED)
    for start in range(0, n_rows, AT_ONCE):
        GameResult.objects.bulk_create(
            GameResult(
                evaluation=evaluations[number // GAMES],
                index=number % GAMES,
                score=20,
                ending="complete",
                packed=packed,
            )
            for number in range(start, min(start + AT_ONCE, n_rows))
        )


def make_evaluations(count: int) -> list["Evaluation"]:
    """Make an archived course with some evaluations."""
    from django.utils import timezone

    from grader.interfaces import INTERFACES
    from webapp.accounts.models import User
    from webapp.courses.models import Assignment, Course
    from webapp.evaluations.models import Evaluation
    from webapp.lifecycle.models import Retention

    now = timezone.now()
    User.objects.create_superuser("op@example.org", display_name="Op")
    course = Course.objects.create(slug="bench", title="Bench", archived_at=now - timedelta(days=9))
    Retention.objects.create(course=course, records_days=1)
    assignment = Assignment.objects.create(
        course=course, slug="a", title="A", commitment="x", due_at=now + timedelta(days=1)
    )
    return Evaluation.objects.bulk_create(
        Evaluation(
            assignment=assignment,
            house_agent=f"agent-{number}",
            kind="practice",
            interface=min(INTERFACES),
            sha256="0" * 64,
            spec={},
            n_games=GAMES,
            requested_at=now,
        )
        for number in range(count)
    )


def measure(n_rows: int) -> None:
    """Throw all away beside a writer, and print what it took."""
    from django.utils import timezone

    from webapp.evaluations.models import GameResult
    from webapp.lifecycle.batches import Deadline
    from webapp.lifecycle.daily import remove_expired

    waits: list[float] = []
    over = threading.Event()
    writer = threading.Thread(target=write_until, args=(over, waits))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    writer.start()
    began, used = time.monotonic(), time.process_time()
    remove_expired(Deadline(None), at=timezone.now())
    wall, cpu = time.monotonic() - began, time.process_time() - used
    over.set()
    writer.join()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{n_rows:,} games thrown away in {wall:.1f} s ({cpu:.1f} s of processor time)")
    print(f"peak memory {peak >> 10} MiB, {(peak - before) >> 10} MiB more than before")
    print(f"{len(waits)} other writes meanwhile, the slowest waited {max(waits):.2f} s")
    print(f"{GameResult.objects.count()} games left")


def write_until(over: threading.Event, waits: list[float]) -> None:
    """Write a row ten times a second, as the site does, and note how long each time took."""
    from django.db import connection
    from django.utils import timezone

    from webapp.operations.models import Sign

    while not over.wait(0.1):
        began = time.monotonic()
        Sign.objects.update_or_create(name="bench", defaults={"at": timezone.now()})
        waits.append(time.monotonic() - began)
    connection.close()


if __name__ == "__main__":
    main()

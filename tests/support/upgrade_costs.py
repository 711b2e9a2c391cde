"""``python -m tests.support.upgrade_costs``: what an upgrade with a million games takes.

A site of the first version whose upgrade is supported has a course of so many games. It is brought
to this version, the course is written into a file, and its games are removed when their time is
over: each by the command that operators use, on SQLite and on PostgreSQL. Prints time, processor
time, the command's memory, and the size of the database afterwards.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from tests.support.own_site import ROOT, site_settings
from tests.support.postgres_server import PostgresServer
from tests.support.processes import stats

if TYPE_CHECKING:
    from django.apps.registry import Apps

__all__ = ["Site", "site_on"]

SITE: Final = ROOT / "tests" / "webapp" / "jobs" / "site_before_claims.json"
GAMES: Final = 1000
"""Games of an evaluation,"""
BATCHES: Final = 10
"""and the batches in which they were played."""
_KNOWN_GAMES: Final = 39
"""The games of that site, by keys from 1: they are repeated."""
_COLUMNS: Final = "{:<11} {:<26} {:>8} {:>11} {:>11} {:>9} {:>9}"
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure on each database, or do one step of it in a process of its own."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.support.upgrade_costs", description=__doc__
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--step", choices=list(_STEPS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        _STEPS[arguments.step](arguments.rows)
        return
    print(f"{arguments.rows:,} games")
    print(_COLUMNS.format("database", "command", "s", "CPU s", "server s", "MiB", "DB MiB"))
    for database in arguments.databases:
        with tempfile.TemporaryDirectory() as name, site_on(database, Path(name)) as site:
            site.measure(arguments.rows)


class Site:
    """One site's database, and commands that are run on it."""

    def __init__(self, directory: Path, address: str, server: PostgresServer | None) -> None:
        self._directory, self._server = directory, server
        self._environment = {
            **os.environ,
            **site_settings(directory, "redis://127.0.0.1:1/0", log_level="ERROR"),
            "DATABASE_URL": address,
        }

    def measure(self, rows: int) -> None:
        """Fill it, and run what operators run."""
        file = str(self._directory / "course.firebox.zip")
        me = ("tests.support.upgrade_costs", "--rows", str(rows), "--step")
        self._run(*me, "fill")
        self._print("migrate", "webapp", "migrate", "--verbosity", "0")
        self._run(*me, "archive")
        self._print("archive", "webapp", "archive", "coop", "--output", file)
        self._print("prune --dry-run", "webapp", "prune", "--dry-run")
        self._print("prune", "webapp", "prune")
        self._run(*me, "check")

    def upgrade(self, rows: int) -> None:
        """Fill it, bring it to this version, compare. Raises SystemExit if something is wrong."""
        me = ("tests.support.upgrade_costs", "--rows", str(rows), "--step")
        self._run(*me, "fill")
        self._run("webapp", "migrate", "--verbosity", "0")
        self._run(*me, "compare")

    def _print(self, title: str, *words: str) -> None:
        before, began = self._server_seconds(), time.monotonic()
        seconds, mib = self._run(*words)
        wall, server = time.monotonic() - began, self._server_seconds() - before
        name = "PostgreSQL" if self._server else "SQLite"
        line = _COLUMNS.format(
            name, title, f"{wall:.1f}", f"{seconds:.1f}", f"{server:.1f}", f"{mib:.0f}",
            f"{self._bytes() / 2**20:.0f}",
        )  # fmt: skip
        print(line, flush=True)

    def _run(self, module: str, *words: str) -> tuple[float, float]:
        """Run a module; return its processor time in seconds and its memory in MiB."""
        log = self._directory / "log"
        with log.open("wb") as output:
            process = Popen(
                [sys.executable, "-m", module, *words],
                env=self._environment, cwd=ROOT, stdout=output, stderr=output,
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{module} {words}:\n{log.read_text()[-4000:]}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    def _server_seconds(self) -> float:
        """Return the processor time of PostgreSQL so far."""
        if self._server is None:
            return 0.0
        processes = stats()
        children = [stat for stat in processes.values() if int(stat[1]) == self._server.pid]
        own = processes[self._server.pid]
        ticks = sum(int(each) for each in own[11:15])  # with those of dead children
        return (ticks + sum(int(stat[11]) + int(stat[12]) for stat in children)) / _TICKS

    def _bytes(self) -> int:
        if self._server is None:
            return (self._directory / "firebox.sqlite3").stat().st_size
        with self._server.connect() as connection:
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(str(row[0])) if row else 0


@contextmanager
def site_on(name: str, directory: Path) -> Iterator[Site]:
    """Provide a site on SQLite or PostgreSQL; remove it in the end."""
    if name == "sqlite":
        yield Site(directory, f"sqlite:///{directory}/firebox.sqlite3", None)
        return
    server = PostgresServer()
    try:
        yield Site(directory, server.url, server)
    finally:
        server.remove()


# --- Steps, in processes of their own -------------------------------------------------------------


def _fill(rows: int) -> None:
    """Make the site of the earlier version, and games in the course that it has."""
    import json

    import django

    django.setup()
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from tests.support.migrating import load
    from webapp.artefacts import store

    site = json.loads(SITE.read_text())
    load(site)
    targets = [tuple(migration) for migration in site["migrations"]]
    apps = MigrationExecutor(connection).loader.project_state(targets).apps
    sources = store().put(b"# The program of every submission.\n")
    apps.get_model("submissions.submission").objects.update(sha256=sources)
    apps.get_model("evaluations.evaluation").objects.update(sha256=sources)
    last = _evaluations(apps, -(-rows // GAMES))
    _games(apps.get_model("evaluations.gameresult"), after=last)


def _evaluations(apps: "Apps", count: int) -> int:
    """Make finished evaluations with their batches; return the key of the one before them."""
    evaluations, batches = (
        apps.get_model(f"evaluations.{name}").objects for name in ("evaluation", "batch")
    )
    known, batch = evaluations.get(pk=3), batches.get(pk=1)
    last = max(evaluations.values_list("pk", flat=True))
    known.is_current, known.n_games, known.games_done = False, GAMES, GAMES
    made = evaluations.bulk_create(_copy(known) for _ in range(count))
    size = GAMES // BATCHES
    batches.bulk_create(
        _copy(batch, evaluation_id=each.pk, n_games=size, ranges=[[first, first + size - 1]])
        for each in made
        for first in range(0, GAMES, size)
    )
    return last


def _copy(row: Any, **changes: Any) -> Any:
    """Return an unsaved row like another, without its key."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.fields}
    return type(row)(**{**values, "id": None, "uuid": uuid4(), **changes})


def _games(model: Any, *, after: int) -> None:
    """Repeat the known games in every evaluation that was made."""
    from django.db import connection

    own = {"id", "evaluation_id", "index"}
    names = [
        connection.ops.quote_name(field.column)
        for field in model._meta.fields
        if field.column not in own
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(i) AS"  # noqa: S608 - names of columns
            " (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < %s)"
            f' INSERT INTO evaluations_gameresult (evaluation_id, "index", {", ".join(names)})'
            f" SELECT e.id, n.i, {', '.join(f'g.{name}' for name in names)}"
            " FROM evaluations_evaluation e CROSS JOIN numbers n"
            " JOIN evaluations_gameresult g ON g.id = 1 + n.i %% %s WHERE e.id > %s",
            [GAMES - 1, _KNOWN_GAMES, after],
        )


def _compare(rows: int) -> None:
    """Fail unless every game equals the one that it repeats, and no batch is lost or changed."""
    import django

    django.setup()
    from django.db.models import Count, F, Max, Min

    from webapp.evaluations.models import Evaluation, GameResult
    from webapp.jobs.models import Job

    evaluations = Evaluation.objects.filter(n_games=GAMES, is_current=False)
    games = GameResult.objects.filter(evaluation__in=evaluations)
    numbers = {"games": Count("pk"), "first": Min("index"), "last": Max("index")}
    counts = games.order_by().values_list("evaluation").annotate(**numbers)
    assert len(counts) == evaluations.count() == -(-rows // GAMES), "evaluations were lost"
    assert {count[1:] for count in counts} == {(GAMES, 0, GAMES - 1)}, "games were lost"
    own = {"id", "evaluation", "index"}
    names = [field.name for field in GameResult._meta.fields if field.name not in own]
    repeated = games.annotate(known=F("index") % _KNOWN_GAMES)
    for known in range(_KNOWN_GAMES):
        first = GameResult.objects.get(pk=1 + known)
        assert first.played is None or first.record is not None, "a game cannot be read"
        like = {name: getattr(first, name) for name in names}
        copies = len(range(known, GAMES, _KNOWN_GAMES)) * len(counts)
        assert repeated.filter(known=known, **like).count() == copies, f"changed: like game {known}"
    jobs = Job.objects.filter(evaluation__in=evaluations)
    assert jobs.count() == BATCHES * len(counts), "batches were lost"
    assert set(jobs.values_list("status", flat=True)) == {Job.objects.get(pk=1).status}


def _archive(rows: int) -> None:
    """Archive the course, as long ago as its games are kept."""
    import django

    django.setup()
    from django.utils import timezone

    from webapp.courses.models import Course
    from webapp.evaluations.models import GameResult
    from webapp.lifecycle.models import Retention

    assert GameResult.objects.count() >= rows, "games were lost"
    long_ago = timezone.now() - timedelta(days=9)
    Course.objects.update(archived_at=long_ago)
    Retention.objects.create(course=Course.objects.get(), records_days=1)


def _check(rows: int) -> None:
    """Fail if games are left."""
    import django

    django.setup()
    from webapp.evaluations.models import Evaluation, GameResult

    assert not GameResult.objects.exists(), "games are left"
    assert Evaluation.objects.filter(n_games=GAMES).count() == rows // GAMES


_STEPS: Final[dict[str, Callable[[int], None]]] = {
    "fill": _fill,
    "compare": _compare,
    "archive": _archive,
    "check": _check,
}

if __name__ == "__main__":
    main()

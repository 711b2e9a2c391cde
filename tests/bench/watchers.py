"""How many students can watch their games at once.

Serves a course from one process on one core. Each student's page asks for news as a browser does:
with the entity tag of what it shows, again after as long as the page says. Of a few students games
are played meanwhile; the others wait in the queue.
"""

import argparse
import asyncio
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final

import aiohttp

from tests.bench.accounts import process_seconds
from tests.bench.harness import Measurement
from tests.support.own_site import ROOT, site_settings
from tests.support.processes import Program, wait_until

if TYPE_CHECKING:
    from webapp.grading.evaluations.models import Evaluation

_RECORDING_SECONDS: Final = 2.0
"""How often games are recorded."""
_TIMEOUT: Final = aiohttp.ClientTimeout(total=60)
_SETTLED_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A signed-in student who looks at a submission."""

    cookie: str
    path: str


@dataclass(slots=True)
class Answers:
    """The site's answers to all students."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)
    took: float = 0.0
    """Seconds from the first question to the last answer."""
    used: float = 0.0
    """Seconds of the site's processor time meanwhile."""


def add_options(parser: argparse.ArgumentParser) -> None:
    counts = [125, 250, 500, 1000]
    parser.add_argument("--students", type=int, nargs="+", default=counts, metavar="N")
    parser.add_argument("--playing", type=float, default=0.1, help="share whose games are played")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each number")


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Serve the course, and yield one for each number of students."""
    serving, watching = _cores()
    os.sched_setaffinity(0, watching)
    with tempfile.TemporaryDirectory() as name:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        url, most = f"http://127.0.0.1:{port}", max(asked.students)
        os.environ |= site_settings(Path(name), "redis://127.0.0.1:1/0", log_level="ERROR")
        os.environ["FIREBOX_SITE_URL"] = url
        students, played = _prepare(most, asked.playing)
        with _site(Path(name), port, most, serving) as site, _recording(played):
            for count in asked.students:
                some = random.Random(count).sample(students, count)  # noqa: S311
                take = partial(_figures, site, url, some, asked.seconds)
                yield Measurement(f"{count} students", take)


def _cores() -> tuple[set[int], set[int]]:
    first, *others = sorted(os.sched_getaffinity(0))
    return {first}, set(others) or {first}


def _prepare(count: int, playing: float) -> tuple[list[Student], list[int]]:
    """Make the course. Return its students, and the evaluations that are being played."""
    import django

    django.setup()
    from django.core.management import call_command

    from tests.support.crowd import make_crowd, queue_evaluations

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    crowd = make_crowd(teams=count, submissions=1, graded=False)
    n_playing = round(count * playing)
    played = queue_evaluations(crowd, crowd.teams[:n_playing], playing=True)
    waiting = queue_evaluations(crowd, crowd.teams[n_playing:])
    return [_student(each) for each in [*played, *waiting]], [each.pk for each in played]


def _student(evaluation: "Evaluation") -> Student:
    from django.conf import settings
    from django.test import Client

    submission = evaluation.submission
    assert submission is not None
    client = Client()
    client.force_login(submission.uploaded_by, "django.contrib.auth.backends.ModelBackend")
    name = settings.SESSION_COOKIE_NAME
    cookie = f"{name}={client.cookies[name].value}"
    return Student(cookie=cookie, path=f"/submissions/{submission.pk}/live/")


@contextmanager
def _site(directory: Path, port: int, connections: int, cores: set[int]) -> Iterator[Program]:
    only = ["taskset", "--cpu-list", ",".join(map(str, cores))]
    options = ["--processes=1", f"--connections={connections + 50}", f"--bind=127.0.0.1:{port}"]
    command = [*only, sys.executable, "-m", "webapp.serve", *options]
    program = Program("site", command, {**os.environ, "PYTHONPATH": str(ROOT)}, directory)
    program.start()
    try:
        wait_until(lambda: _answers(port), why="the site does not answer")
        yield program
    finally:
        program.stop()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


@contextmanager
def _recording(played: Sequence[int]) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=_record, args=(played, over))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _record(played: Sequence[int], over: threading.Event) -> None:
    from django.db import connection
    from django.db.models import F

    from webapp.grading.evaluations.models import Evaluation

    while not over.wait(_RECORDING_SECONDS):
        more = (F("games_done") + 1) % F("n_games")
        Evaluation.objects.filter(pk__in=played).update(games_done=more)
    connection.close()


def _figures(
    site: Program, url: str, students: Sequence[Student], seconds: float
) -> dict[str, float]:
    answers = asyncio.run(_watch_all(url, students, seconds, site))
    count = len(answers.seconds)
    changed, unchanged = answers.statuses[200], answers.statuses[304]
    percentiles = quantiles(answers.seconds, n=100)
    _settle(site)
    return {
        "answers a second": count / answers.took,
        "changed": changed,
        "unchanged": unchanged,
        "neither": count - changed - unchanged,
        "p50 ms": percentiles[49] * 1000,
        "p95 ms": percentiles[94] * 1000,
        "max ms": max(answers.seconds) * 1000,
        "ms each": answers.used / count * 1000,
        "% of the core": answers.used / answers.took * 100,
    }


def _settle(site: Program) -> None:
    """Wait until the site has nothing left to answer: it may have fallen behind."""
    seen = [process_seconds(site.pids())]

    def is_idle() -> bool:
        time.sleep(_SETTLED_SECONDS)
        seen.append(process_seconds(site.pids()))
        return seen[-1] - seen[-2] < _SETTLED_SECONDS / 10

    wait_until(is_idle, seconds=600, why="the site is never idle")


async def _watch_all(
    url: str, students: Sequence[Student], seconds: float, site: Program
) -> Answers:
    """Let all of them open their pages, which is not measured, and then watch."""
    connector = aiohttp.TCPConnector(limit=0)
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(
        url, connector=connector, cookie_jar=jar, timeout=_TIMEOUT
    ) as http:
        watchers = [Watcher(http, student) for student in students]
        for watcher in watchers:
            await watcher.ask(Answers())
        answers, began, used = Answers(), time.monotonic(), process_seconds(site.pids())
        await asyncio.gather(*(watcher.watch(began + seconds, answers) for watcher in watchers))
        answers.took = time.monotonic() - began
        answers.used = process_seconds(site.pids()) - used
    return answers


class Watcher:
    """The page of a student: it asks for news with the entity tag of what it shows."""

    def __init__(self, http: aiohttp.ClientSession, student: Student) -> None:
        self._http = http
        self._path = student.path
        self._headers = {"Cookie": student.cookie, "HX-Request": "true"}
        self._interval = 5.0

    async def watch(self, until: float, answers: Answers) -> None:
        """Ask at the page's interval, from a random moment of the first one on."""
        pause = random.uniform(0, self._interval)  # noqa: S311
        while time.monotonic() + pause < until:
            await asyncio.sleep(pause)
            await self.ask(answers)
            pause = self._interval

    async def ask(self, answers: Answers) -> None:
        """Ask once, and note the answer."""
        began = time.monotonic()
        try:
            async with self._http.get(self._path, headers=self._headers) as response:
                text = await response.text()
        except (aiohttp.ClientError, TimeoutError) as error:
            answers.statuses[type(error).__name__] += 1
        else:
            answers.statuses[response.status] += 1
            self._headers["If-None-Match"] = response.headers.get("ETag", "")
            if found := re.search(r'hx-trigger="every ([\d.]+)(m?)s"', text):
                self._interval = float(found[1]) / (1000 if found[2] else 1)
        answers.seconds.append(time.monotonic() - began)

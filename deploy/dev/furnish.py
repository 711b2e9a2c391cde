#!/usr/bin/env python3
"""Plays the demo's course and writes it to a course file: `make demo-course`.

Talks to the site that `site.sh` started on an empty database: everything goes through the site's
services, and its graders play every game in sandboxes. A chapter of the story happens now and is
then moved to the day on which it is told to have happened.
"""

import argparse
import base64
import logging
import os
import random
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import django

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
django.setup()

from demo_teams import (  # noqa: E402
    BASES,
    COOPERATIVE,
    HEARTS,
    HEARTS_TEAMS,
    LAST,
    LATE,
    OPEN_INTERFACES,
    TEAMS,
    WARM_UP,
    DemoTeam,
    DemoUpload,
    guessing,
)
from django.utils import timezone  # noqa: E402 - models need Django to be set up

from grader.results.grading_scheme import GradingScheme  # noqa: E402
from webapp.contests.ladders.models import Ladder  # noqa: E402
from webapp.contests.ladders.services import (  # noqa: E402
    LadderSetting,
    close_ladder,
    open_ladder,
    pause_ladder,
)
from webapp.contests.tournaments.models import Tournament, TournamentAudit  # noqa: E402
from webapp.contests.tournaments.models.tournament import Stage  # noqa: E402
from webapp.contests.tournaments.services import (  # noqa: E402
    TournamentSetting,
    release,
    start_tournament,
)
from webapp.flow.lifecycle.exporting import write_course  # noqa: E402
from webapp.flow.lifecycle.services.archiving import archive_course  # noqa: E402
from webapp.flow.lifecycle.tables import course_tables  # noqa: E402
from webapp.flow.pipeline import accept  # noqa: E402
from webapp.grading.evaluations.models import (  # noqa: E402
    Audit,
    AuditStatus,
    Evaluation,
    GradingRun,
)
from webapp.grading.evaluations.services import request_house, start_grading  # noqa: E402
from webapp.grading.evaluations.services.grading import go_on_grading  # noqa: E402
from webapp.grading.evaluations.services.insights import compute_missing_insights  # noqa: E402
from webapp.grading.gradebook.services import ask_regrade  # noqa: E402
from webapp.grading.submissions.models import Submission  # noqa: E402
from webapp.people.accounts.models import User  # noqa: E402
from webapp.runtime.management.commands.demo_course import (  # noqa: E402
    ASSIGNMENT,
    SLUG,
    account,
    move_dates,
    with_games,
)
from webapp.teaching.announcements.services import post  # noqa: E402
from webapp.teaching.courses.models import (  # noqa: E402
    Assignment,
    Course,
    LeaderboardVisibility,
    Team,
)
from webapp.teaching.courses.services import (  # noqa: E402
    create_assignment,
    create_course,
    enrol_by_code,
    extend_deadline,
    join_team,
    rename_team,
    reveal_secret,
    team_for,
)
from webapp.teaching.courses.stored_schemes import scheme_json  # noqa: E402

STALL_SECONDS: Final = 300
LADDER_GAMES: Final = 200


class Story:
    """A course in its second week, told chapter by chapter."""

    def __init__(self, games: int) -> None:
        """``games``: of a graded evaluation in Hanabi; the published course has a thousand."""
        self.now = timezone.now()
        self.games = games
        self.chance = random.Random(1)  # noqa: S311 - of the times of day: the story is the same each time
        self.course: Course | None = None
        self.ida = account("Ida")
        self.teams: dict[tuple[str, str], Team] = {}

    def tell(self) -> Course:
        """Play it all; return the course."""
        with self.ago(12, 9):
            self.begin()
        warm_up, cooperative, competitive = self.assignments()
        self.hand_in_warm_up(warm_up)
        for round_ in range(3):
            for number, team in enumerate(TEAMS):
                if round_ < len(team.versions) and team.name not in LAST:
                    with self.ago(9 - 2 * round_ - number / 16, 9 + self.chance.random() * 12):
                        self.upload(cooperative, team, team.versions[round_])
        with self.ago(2, 9):
            self.grade(warm_up)
            self.wait()
            warm_up.refresh_from_db()
            reveal_secret(assignment=warm_up, by=self.ida)
        with self.ago(2, 10):
            self.grade(cooperative)
            request_house(assignment=cooperative, by=self.ida, names=("random_legal",))
        with self.ago(2, 14):
            self.tournament(cooperative)
        with self.ago(2, 18):
            self.ladder(cooperative)
        for number, (name, base) in enumerate(HEARTS_TEAMS):
            with self.ago(1, 10 + number):
                team = next(team for team in TEAMS if team.name == name)
                self.upload(competitive, team, DemoUpload(base))
        for number, team in enumerate(team for team in TEAMS if team.name in LAST):
            with self.ago(1, 16 + number / 2):
                self.upload(cooperative, team, team.versions[0])
        with self.ago(1, 17):
            self.letters(warm_up, cooperative)
        return self.end()

    def hand_in_warm_up(self, warm_up: Assignment) -> None:
        """Upload every team's agent to the warm-up, two agents late."""
        for number, team in enumerate(TEAMS):
            if team.name not in LATE:
                with self.ago(10 - number // 5, 9 + self.chance.random() * 12):
                    self.upload(warm_up, team, guessing(BASES[number % 4], number % 5 / 200))
        due_at = self.day(5, 23, 59)
        Assignment.objects.filter(pk=warm_up.pk).update(due_at=due_at)
        for number, team in enumerate(team for team in TEAMS if team.name in LATE):
            with self.ago(4 - number, 8.5):
                self.upload(warm_up, team, DemoUpload("iggi"))
        Assignment.objects.filter(pk=warm_up.pk).update(hard_end_at=due_at + timedelta(days=3))

    @contextmanager
    def ago(self, days: float, hour: float) -> Iterator[None]:
        """Move what happens meanwhile to some hour of a day in the past."""
        began = timezone.now()
        yield
        self.wait()
        ended = timezone.now()
        delta = began - self.day(days, hour)
        move_dates(self.there, lambda at: at - delta if began <= at <= ended else at)

    def day(self, days: float, hour: float, minute: float = 0) -> datetime:
        """Return an hour of the day that was some days ago."""
        midnight = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=int(days)) + timedelta(hours=hour, minutes=minute)

    @property
    def there(self) -> Course:
        """The course."""
        if self.course is None:
            raise RuntimeError("the course has not begun")
        return self.course

    def wait(self) -> None:
        """Wait until the graders have nothing more to do."""
        before: tuple[int, ...] = ()
        since = time.monotonic()
        while (now := self.under_way()) != (0,) * len(now):
            if now != before:
                before, since = now, time.monotonic()
            if time.monotonic() - since > STALL_SECONDS:
                raise SystemExit(f"nothing happened for {STALL_SECONDS} s: {now} are under way")
            go_on_grading(at=timezone.now())
            time.sleep(0.1)
        compute_missing_insights()

    def under_way(self) -> tuple[int, ...]:
        """Count what graders or the site still work on."""
        left = [max(row.n_games - row.games_done, 1) for row in Evaluation.objects.open()]
        return (
            sum(left),
            Audit.objects.filter(status=AuditStatus.QUEUED).count(),
            TournamentAudit.objects.filter(status=AuditStatus.QUEUED).count(),
            GradingRun.objects.filter(finished_at=None).count(),
            Tournament.objects.filter(status__in=("queued", "playing")).count(),
        )

    def begin(self) -> None:
        """Create the course, its students and assignments."""
        self.course = create_course(by=self.ida, title="Firebox demo", slug=SLUG, term="Demo")
        for name in sorted(name for team in TEAMS for name in team.members):
            enrol_by_code(user=account(name), invite_code=self.course.invite_code)
        for game in (self.warm_up(), self.cooperative(), self.competitive()):
            print(game)
        post(
            course=self.course,
            by=self.ida,
            title="Welcome",
            text="The warm-up is open. Upload something simple first: the site plays it at once.",
            at=timezone.now(),
        )

    def assignments(self) -> tuple[Assignment, Assignment, Assignment]:
        """Return the three assignments as they are now."""
        slugs = ("warm-up", ASSIGNMENT, "hearts")
        first, second, third = (
            Assignment.objects.get(course=self.there, slug=slug) for slug in slugs
        )
        return first, second, third

    def create(self, slug: str, **fields: object) -> Assignment:
        """Create an assignment with what all have in common."""
        return create_assignment(
            course=self.there,
            by=self.ida,
            slug=slug,
            max_team_size=2,
            uploads_per_day=100,
            leaderboard=LeaderboardVisibility.PUBLIC,
            **fields,
        )

    def warm_up(self) -> Assignment:
        """The assignment of the first week."""
        return self.create(
            "warm-up",
            title="Warm-up: an agent that plays",
            description=WARM_UP,
            options={"variant": "gcc", "players": 2},
            grading=scheme_json(GradingScheme(full_mean=Decimal(5))),
            n_games=10,
            practice_games=5,
            smoke_games=4,
            audited_games=0,
            penalty_percent=Decimal(10),
            due_at=self.day(-9, 23, 59),
        )

    def cooperative(self) -> Assignment:
        """The assignment that Cleo hands her agent in to."""
        return self.create(
            ASSIGNMENT,
            title="A cooperative agent",
            description=COOPERATIVE,
            options={"variant": "gcc", "players": 2},
            interfaces=OPEN_INTERFACES,
            grading=scheme_json(GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))),
            n_games=self.games,
            audited_games=3,
            practice_games=20,
            smoke_games=4,
            due_at=self.day(-9, 23, 59),
        )

    def competitive(self) -> Assignment:
        """The assignment in a game that is played against others."""
        return self.create(
            "hearts",
            title="Hearts against the house",
            description=HEARTS,
            game="hearts",
            options={"variant": "standard", "players": 2},
            n_games=200,
            practice_games=10,
            smoke_games=4,
            due_at=self.day(-23, 23, 59),
        )

    def upload(self, assignment: Assignment, team: DemoTeam, version: DemoUpload) -> None:
        """Hand a version in, by the team's first member; the first upload makes the team."""
        first, *others = (User.objects.get(display_name=name) for name in team.members)
        row = self.teams.get((assignment.slug, team.name))
        if row is None:
            row = team_for(user=first, assignment=assignment)
            rename_team(team=row, by=first, name=team.name)
            for user in others:
                join_team(user=user, assignment=assignment, join_code=row.join_code)
            self.teams[assignment.slug, team.name] = row
        assignment.refresh_from_db()
        row.assignment = assignment
        data = version.program(team.name)
        submission = accept(team=row, by=first, filename="agent.zip", data=data)
        print(f"{assignment}: {team.name}, {submission}")

    def grade(self, assignment: Assignment) -> None:
        """Grade every team."""
        print(f"Grading {assignment}")
        start_grading(assignment=assignment, by=self.ida)

    def tournament(self, assignment: Assignment) -> None:
        """Play a tournament, and show it to the course."""
        setting = TournamentSetting(sizes=(2,), games=300, references=("piers", "convention"))
        tournament = start_tournament(
            assignment=assignment, by=self.ida, title="First meeting", setting=setting
        )
        self.wait()
        tournament.refresh_from_db()
        release(tournament=tournament, by=self.ida, stage=Stage.RESULTS)

    def ladder(self, assignment: Assignment) -> None:
        """Play some games of a ladder, and pause it: only a closed one can be exported."""
        setting = LadderSetting(half_width=0.2, max_games=5000, versions=1,
                                house_agents=("outer", "piers"))  # fmt: skip
        ladder = open_ladder(assignment=assignment, by=self.ida, setting=setting)
        while Ladder.objects.get(pk=ladder.pk).n_games < LADDER_GAMES:
            time.sleep(0.5)
        pause_ladder(ladder=ladder, by=self.ida)
        close_ladder(ladder=ladder, by=self.ida)

    def letters(self, warm_up: Assignment, cooperative: Assignment) -> None:
        """Post an announcement, extend a deadline, ask for a regrade."""
        post(
            course=self.there,
            by=self.ida,
            title="Where you stand",
            text="Everybody has been graded once, and a first tournament has been played: see the"
            " board of “A cooperative agent”. The ladder goes on until the due date.",
            at=timezone.now(),
        )
        extend_deadline(
            team=self.teams[ASSIGNMENT, "Quiet Signals"],
            by=self.ida,
            due_at=cooperative.due_at + timedelta(days=3),
            reason="Anna was ill for three days, with a doctor’s note.",
        )
        ask_regrade(
            assignment=warm_up,
            user=User.objects.get(display_name="Rui Santos"),
            text="I uploaded on time, but the site was slow in our dormitory that evening. Could"
            " you look at the penalty again?",
        )

    def end(self) -> Course:
        """Archive the course. Its games are not packed: each zlib would pack them otherwise."""
        for table in course_tables():
            if table.has_games:
                for game in table.rows_of(self.there).exclude(packed=b""):
                    game.packed = zlib.compress(zlib.decompress(game.packed), 0)
                    game.save(update_fields=["packed"])
        archive_course(course=self.there, by=self.ida)
        return Course.objects.get(pk=self.there.pk)


def as_text(packed: str) -> str:
    """Return the JSON of a game as a course file has it: together, texts pack far better."""
    return zlib.decompress(base64.b64decode(packed)).decode()


def write(course: Course, path: Path) -> None:
    """Write the course file, its games as text and its entries packed by bzip2."""
    with TemporaryFile() as file:
        write_course(course, file, at=timezone.now())
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as new:
            for name in old.namelist():
                data = with_games(name, old.read(name), as_text)
                new.writestr(name, data, compresslevel=9)
    print(f"{path}: {path.stat().st_size / (1 << 20):.2f} MiB")


def main() -> None:
    """Make the course file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="graded games in Hanabi")
    options = parser.parse_args()
    logging.disable(logging.INFO)
    if Submission.objects.exists():
        raise SystemExit("this site is not empty")
    write(Story(options.games).tell(), options.file)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The main job, for real, over HTTP: a student uploads an agent, an instructor has it graded.

Talks to the site that `site.sh` started, as two browsers would: pages, forms, cookies, CSRF tokens.
The other teams and their games come with the course, which `make demo-course` has played. What it
did once it does not do again: then it shows the leaderboard as it stands.
"""

import csv
import html
import io
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import requests
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from grader import house
from sandbox.engine import has_image
from sandbox.images import IMAGES, image_reference

SITE = f"http://127.0.0.1:{os.environ.get('FIREBOX_PORT', '8600')}"
VAR = Path(os.environ.get("FIREBOX_VAR_DIR", "var"))
ASSIGNMENT = "/courses/demo/assignments/cooperative-agent/"
STUDENT = "Cleo"
AGENT = "piers"
"""The house agent whose sources the student hands in as hers."""

VERDICT_SECONDS = 120
STALL_SECONDS = 180
"""Time without a new game after which something is wrong."""
POLL_SECONDS = 0.5
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
"""Differs every time that a page with a form is read."""

console = Console(highlight=False)


class DemoFailedError(Exception):
    """The site did not do what it should; the message says what and where to look."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts that can sign in, and the code with which students register."""

    people: tuple[tuple[str, str, str], ...]
    """Address, password and role of each."""
    invite_code: str

    @classmethod
    def read(cls) -> "Accounts":
        """Read what the management command `demo_course` printed."""
        text = VAR.joinpath("demo-accounts").read_text()
        people = re.findall(r"^(\S+@\S+)  (\S+)  \((.+)\)$", text, flags=re.MULTILINE)
        code = re.search(r"^invite code: (\S+)$", text, flags=re.MULTILINE)
        if not people or code is None:
            raise DemoFailedError(f"the demo course is not there: {text}")
        return cls(tuple(people), code[1])

    @property
    def password(self) -> str:
        """Return the password of all demo accounts."""
        return self.people[0][1]

    @property
    def student(self) -> str:
        """Return the address of the student who registers in the demo."""
        return self.people[0][0].replace("ida", STUDENT.lower())

    @property
    def instructor(self) -> str:
        """Return the address of the instructor."""
        return next(email for email, _, role in self.people if role == "instructor")


class Browser:
    """One person's visit to the site."""

    def __init__(self) -> None:
        self._session = requests.Session()
        self._session.trust_env = False  # no proxy stands between us and this very machine

    def read(self, path: str) -> str:
        """Return a page; DemoFailedError when the site has no good answer."""
        response = self._session.get(SITE + path, timeout=30)
        return self._page(response)

    def send(
        self,
        page: str,
        fields: Mapping[str, str | list[str]],
        *,
        to: str = "",
        file: tuple[str, bytes] | None = None,
    ) -> requests.Response:
        """Open a page, fill its form in, send it to the page itself or `to`; return the answer."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.read(page))
        if token is None:
            raise DemoFailedError(f"{page} has no form")
        response = self._session.post(
            SITE + (to or page),
            data={**fields, "csrfmiddlewaretoken": token[1]},
            files={"file": file} if file else None,
            headers={"Referer": SITE + page},
            timeout=60,
        )
        self._page(response)
        return response

    def _page(self, response: requests.Response) -> str:
        if response.ok:
            return str(response.text)
        raise DemoFailedError(
            f"{response.url} answered {response.status_code}: {words(response.text)[:400]};"
            f" read {VAR}/log/web.log"
        )


def main() -> int:
    """Play the demo; return the exit code."""
    try:
        accounts = Accounts.read()
        student, instructor = arrive(accounts)
        submission = upload(student)
        wait_for_verdict(student, submission)
        watch(instructor, grade(instructor))
        show(instructor, accounts)
        resume_ladder(instructor)
        say_what_is_built()
        console.print("\nLogs are in var/log. End it all with: [bold]make stop[/]")
    except (DemoFailedError, requests.RequestException) as error:
        console.print(f"[red]The demo failed:[/] {error}", soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        console.print(
            "\nThe site goes on. Look again with [bold]make demo[/], end it with make stop."
        )
        return 130
    return 0


def arrive(accounts: Accounts) -> tuple[Browser, Browser]:
    """Sign the instructor in; register the student, or sign her in if that was done before."""
    instructor, student = Browser(), Browser()
    sign_in(instructor, accounts.instructor, accounts.password)
    fields = {
        "invite_code": accounts.invite_code,
        "display_name": STUDENT,
        "email": accounts.student,
        "password": accounts.password,
    }
    if f">{accounts.student}<" in instructor.read("/courses/demo/people/"):
        sign_in(student, accounts.student, accounts.password)
    else:
        student.send("/accounts/register/", fields)
        step(f"{STUDENT} registered with the course's invite code.")
    return student, instructor


def sign_in(browser: Browser, email: str, password: str) -> None:
    """Sign in as one of the demo's people."""
    answer = browser.send("/accounts/sign-in/", {"username": email, "password": password})
    if answer.url.endswith("/sign-in/"):
        raise DemoFailedError(f"{email} cannot sign in: {words(answer.text)[:400]}")


def upload(student: Browser) -> str:
    """Upload the agent, unless that was done before; return the submission's path."""
    page = student.read(ASSIGNMENT)
    earlier = re.search(r'href="(/submissions/\d+/)"', page)
    if earlier is not None:
        return earlier[1]
    file = (f"{AGENT}.zip", house.bundle(AGENT))
    answer = student.send(ASSIGNMENT, {}, to=f"{ASSIGNMENT}upload/", file=file)
    step(f"{STUDENT} uploaded {file[0]} ({len(file[1]) / 1024:.1f} KiB).")
    return answer.url.removeprefix(SITE)


def wait_for_verdict(student: Browser, submission: str) -> None:
    """Wait until the upload is compiled and has played its first test."""
    began = time.monotonic()
    for looks, page in enumerate(poll(student, f"{submission}live/", VERDICT_SECONDS, "smoke")):
        stage = stage_of(page)
        if stage == "rejected":
            raise DemoFailedError(f"the agent was rejected: see {SITE}{submission}")
        if stage in PASSED:
            if looks:
                seconds = time.monotonic() - began
                step(f"First test in a sandbox passed within {seconds:.1f} s: ready.")
            return


PASSED = ("Practice", "Verdict")
"""The steps of an upload that has passed its first test."""


def stage_of(page: str) -> str:
    """Return how far an upload has come: the present step, or ``rejected``."""
    step_and_fact = r'aria-current="step">.*?<strong>([^<]+)<.*?<span[^>]*>([^<]*)<'
    match = re.search(step_and_fact, page, re.DOTALL)
    if match is None:
        return ""
    return "rejected" if match[2] == "rejected" else match[1]


def grade(instructor: Browser) -> str:
    """Start the student's graded evaluation, unless it was before; return its path."""
    row = row_of_student(instructor)
    if (earlier := evaluation_in(row)) is not None:
        return earlier
    team = re.search(r"\?team=(\d+)", row)
    if team is None:
        raise DemoFailedError(f"{SITE}{ASSIGNMENT}teams/ offers no grading of {STUDENT}'s team")
    fields = {"team": team[1]}
    instructor.send(f"{ASSIGNMENT}grade/confirm/?team={team[1]}", fields, to=f"{ASSIGNMENT}grade/")
    step("Ida started the graded evaluation.")
    started = evaluation_in(row_of_student(instructor))
    if started is None:
        raise DemoFailedError(f"no evaluation was started: see {SITE}{ASSIGNMENT}teams/")
    return started


def row_of_student(instructor: Browser) -> str:
    """Return the student's row in the staff's table of teams."""
    rows = re.findall(r"<tr\b.*?</tr>", instructor.read(f"{ASSIGNMENT}teams/"), flags=re.DOTALL)
    return str(next(row for row in rows if STUDENT in row))


def evaluation_in(row: str) -> str | None:
    """Return the path of the evaluation that a row links to."""
    match = re.search(r'href="(/evaluations/[0-9a-f-]{36}/)"', row)
    return match[1] if match else None


def watch(instructor: Browser, evaluation: str) -> None:
    """Show the evaluation's progress until all its games are in."""
    columns = (TextColumn("Graded games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("games", total=None)
        for page in poll(instructor, f"{evaluation}live/", STALL_SECONDS, "games"):
            drawn = re.search(r'<progress max="(\d+)"\s+value="(\d+)"', page)
            if drawn is not None:
                bar.update(task, total=int(drawn[1]), completed=int(drawn[2]))
            played = played_of(page)
            if played is not None or "hx-get" not in page:  # it may go on to follow an audit
                break
        if played is None:
            raise DemoFailedError(f"it ended without figures: see {SITE}{evaluation}")
        bar.update(task, total=played, completed=played)


def poll(browser: Browser, path: str, seconds: float, log: str) -> Iterator[str]:
    """Yield a page again and again; fail when it has not changed for some seconds."""
    before, since = "", time.monotonic()
    while time.monotonic() - since < seconds:
        page = browser.read(path)
        shown = shown_of(page)
        if shown != before:
            before, since = shown, time.monotonic()
        yield page
        time.sleep(POLL_SECONDS)
    raise DemoFailedError(
        f"nothing happened for {seconds:.0f} seconds: see {SITE}{path.removesuffix('live/')}"
        f" and read {VAR}/log/{log}.log"
    )


def shown_of(page: str) -> str:
    """Return what is the same while nothing happens."""
    return TOKEN.sub("", page)


def played_of(page: str) -> int | None:
    """Return the number of games on the page of an evaluation that is over."""
    match = re.search(r"<dt>games</dt>\s*<dd>\s*([\d,]+)\s*</dd>", page)
    return int(match[1].replace(",", "")) if match else None


def show(instructor: Browser, accounts: Accounts) -> None:
    """Print the leaderboard, where the site is, and who can sign in."""
    # Tables for people begin with a byte order mark.
    text = instructor.read(f"{ASSIGNMENT}leaderboard.csv").removeprefix("\ufeff")
    rows = csv.DictReader(io.StringIO(text))
    table = Table(title="Leaderboard of “A cooperative agent”", title_style="bold")
    for name in ("Rank", "Team", "Mean", "95% interval", "Games", "Lost", "Faults"):
        table.add_column(name, justify="left" if name == "Team" else "right")
    for row in rows:
        interval = f"{float(row['Low']):.2f} … {float(row['High']):.2f}"
        names = f"{row['Alias']} ({row['Names']})" if row.get("Names") else row["Alias"]
        mean = f"{float(row['Mean']):.2f}"
        cells = (row["Rank"], names, mean, interval, row["Games"], row["Lost"], row["Faults"])
        table.add_row(*cells)
    console.print(table)
    console.print(f"\nThe site is running at [bold]{SITE}/[/], this leaderboard at")
    console.print(f"{SITE}{ASSIGNMENT}leaderboard/\n", soft_wrap=True)
    for email, role in who(accounts):
        console.print(f"  {role:<12} {email:<22} password {accounts.password}")
    console.print(f"  New students register with the invite code {accounts.invite_code}")


def resume_ladder(instructor: Browser) -> None:
    """Let the ladder go on, unless it does already."""
    page = f"{ASSIGNMENT}ladder/"
    if "ladder/resume/" in instructor.read(page):
        instructor.send(page, {}, to=f"{page}resume/")
        console.print(f"\nIda let the ladder go on: agents meet at {SITE}{page}", soft_wrap=True)


def say_what_is_built() -> None:
    """Name the images that are missing, which `make demo` builds next."""
    missing = [name for name in IMAGES if not has_image(image_reference(name))]
    if missing:
        console.print(
            f"\nImages for {', '.join(missing)} are built in the background: uploads that need"
            " one wait until it is there, and say so.",
            soft_wrap=True,
        )


def who(accounts: Accounts) -> Iterator[tuple[str, str]]:
    """Yield address and role of everybody who can sign in."""
    for email, _, role in accounts.people:
        yield email, role
    yield accounts.student, "student"


def words(page: str) -> str:
    """Return a page's text without its mark-up, for messages."""
    main_part = page.partition("<main")[2] or page
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main_part)).split())


def step(text: str) -> None:
    """Say what has just been done."""
    console.print(f"[green]✓[/] {text}")


if __name__ == "__main__":
    sys.exit(main())

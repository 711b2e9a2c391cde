"""``firebox submit``: uploads an agent to the course's site, and watches it being tested."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from grader.cli.agents import upload_of
from grader.cli.arguments import CLASS_HELP
from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.output import complaint, say, warn
from grader.cli.site import SiteClient, SiteRefusedError, signed_in
from grader.core.errors import SystemFault
from grader.core.words import counted, printable

HELP: Final = "upload an agent to your course's site"

_POLL_SECONDS: Final = 2.0
_MAX_SILENT_POLLS: Final = 60
"""Two minutes: a site that is restarted is back by then."""
_TITLES: Final = {"smoke": "First test", "practice": "Practice", "graded": "Graded evaluation"}
_FINAL: Final = {"ready", "rejected"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitArguments:
    """The command line of ``firebox submit``."""

    agent: Path = argument(metavar="AGENT", help="a source file, a .zip or a folder with sources")
    assignment: str = argument(
        "--assignment",
        metavar="COURSE/ASSIGNMENT",
        help="as in the assignment's address; needed if you have several",
    )
    site: str = argument("--site", metavar="URL", help="default: the site you signed in to last")
    interface: str = argument(
        "--interface", metavar="NAME", help="default: recognised from the sources"
    )
    agent_class: str = argument("--class", metavar="NAME", help=CLASS_HELP)
    watch: bool = argument(
        "--watch", help="wait for the first test and practice, and show their results"
    )


def run(arguments: SubmitArguments) -> ExitStatus:
    """Upload, say where its page is, and wait for its verdict if asked to."""
    try:
        name, upload = upload_of(arguments.agent)
    except OSError as error:
        raise UsageError(f"cannot read the agent {arguments.agent}: {error.strerror}") from error
    for note in upload.notes:
        warn(printable(note[:1].upper() + note[1:] + "."))
    site = signed_in(arguments.site)
    fields = {"interface": arguments.interface, "agent_class": arguments.agent_class}
    try:
        submission = site.post(
            _path(site, arguments.assignment), fields, name=name, data=upload.data
        )
    except SiteRefusedError as error:
        if not error.messages:
            raise
        _say_refused(error)
        return ExitStatus.FAULT
    say(f"Submission {submission['number']}: {submission['url']}")
    return _watch(site, submission["id"]) if arguments.watch else ExitStatus.OK


def _path(site: SiteClient, named: str) -> str:
    known = [
        f"{assignment['course']}/{assignment['assignment']}"
        for assignment in site.get("assignments")
    ]
    if not named and len(known) == 1:
        named = known[0]
    if named not in known:
        choice = ", ".join(known) or "none"
        problem = f"there is no assignment {named}" if named else "which assignment is it for"
        raise UsageError(f"{problem}? Name one with --assignment; yours are: {choice}")
    course, assignment = named.split("/")
    return f"courses/{course}/assignments/{assignment}/submissions"


def _say_refused(error: SiteRefusedError) -> None:
    warn("The site refused the upload; nothing was stored:")
    for message in error.messages:
        warn("  " + complaint(message.file, message.line, message.text))


# --- Watching ------------------------------------------------------------------------------------


def _watch(site: SiteClient, pk: int) -> ExitStatus:
    printed: set[str] = set()
    with Console(stderr=True).status("Waiting for a grader") as status:
        for submission in _states(site, pk):
            for run in submission["evaluations"]:
                status.update(_progress(run))
                if run["status"] not in {"queued", "playing"} and run["id"] not in printed:
                    printed.add(run["id"])
                    say(_finished(run))
    return _verdict(submission)


def _states(site: SiteClient, pk: int) -> Iterator[Mapping[str, Any]]:
    """Yield the submission until nothing is under way. Raises SystemFault after long silence."""
    silent = 0
    while True:
        try:
            submission = site.get(f"submissions/{pk}")
        except SystemFault:
            silent += 1
            if silent > _MAX_SILENT_POLLS:
                raise
        else:
            silent = 0
            yield submission
            if not submission["is_under_way"]:
                return
        time.sleep(_POLL_SECONDS)


def _progress(run: Mapping[str, Any]) -> str:
    if run["status"] == "queued":
        return f"{_TITLES[run['kind']]}: waiting for a grader"
    return f"{_TITLES[run['kind']]}: {run['games_done']} of {counted(run['games'], 'game')}"


def _finished(run: Mapping[str, Any]) -> str:
    title = _TITLES[run["kind"]]
    if run["status"] != "finished":
        return f"{title}: {run['status']}; your agent is not to blame. {run['url']}"
    words = [f"{title}: {run['verdict']}", counted(run["games_done"], "game")]
    if run["mean"] is not None:
        spread = "" if run["low"] is None else f" ({run['low']:.2f} to {run['high']:.2f})"
        words.append(f"mean {run['mean']:.2f}{spread}")
    if run["points"] is not None:
        words.append(f"{run['points']:.2f} points")
    if run["faults"]:
        words.append(f"{counted(run['faults'], 'fault')}: {run['url']}")
    return ", ".join(words)


def _verdict(submission: Mapping[str, Any]) -> ExitStatus:
    if submission["status"] not in _FINAL:
        say(f"The test did not finish. Have it tested again: {submission['url']}")
        return ExitStatus.HOST
    for message in [*submission["messages"], *submission["notes"]]:
        say("  " + complaint(message["file"], message["line"], message["text"]))
    if submission["warning"]:
        say(printable(submission["warning"]))
    if submission["status"] == "rejected":
        say("Rejected: it cannot play.")
        return ExitStatus.FAULT
    counts = "it counts now" if submission["is_counted"] else "another submission counts"
    say(f"Ready: {counts}.")
    return (
        ExitStatus.FAULT
        if any(run["faults"] for run in submission["evaluations"])
        else ExitStatus.OK
    )

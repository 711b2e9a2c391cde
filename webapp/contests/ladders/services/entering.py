"""Entering and leaving a ladder: derived from submissions and from staff's decisions.

A team's latest accepted submissions play, as many as the ladder's setting says. One that was
withdrawn, or left for its faults, takes no place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
from django.db import transaction

from grader.ladder import Version, faults_too_often, staying
from grader.ladder.members import LATEST_GAMES
from webapp.contests.ladders.models import Departure, Ladder, LadderEntry, LadderGame
from webapp.contests.ladders.services.scheduling import schedule_next
from webapp.grading.jobs.owners import locked
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import agent_of

GONE = (Departure.WITHDRAWN, Departure.FAULTY, Departure.UNBUILDABLE)
"""Departures after which an agent does not come back."""


@transaction.atomic
def admit(submission: Submission, *, at: datetime) -> None:
    """Let an accepted submission onto its assignment's ladder at once, if there is one."""
    ladder = Ladder.objects.playing().filter(assignment=submission.team.assignment_id).first()
    if ladder is not None:
        ladder = locked(ladder, "assignment")
        if ladder.is_open and ladder.paused_at is None:  # it may have been closed meanwhile
            enter_versions(ladder, at=at)
            schedule_next(ladder, at=at)


def enter_versions(ladder: Ladder, *, at: datetime) -> None:
    """Bring the entries up to date with the submissions. The caller holds the ladder's lock."""
    entries = {entry.submission_id: entry for entry in ladder.entries.filter(house_agent="")}
    ready = Submission.objects.with_sources().filter(
        team__assignment=ladder.assignment_id, status=SubmissionStatus.READY
    )
    submissions = {submission.pk: submission for submission in ready.only("pk", "team", "number")}
    stay = _staying(submissions.values(), entries, limit=ladder.versions)
    for key, submission in submissions.items():
        entry = entries.get(key)
        stays = (submission.team_id, submission.number) in stay
        if entry is not None and stays and entry.departure == Departure.REPLACED:
            _return(entry)
        elif entry is not None and not stays and entry.plays:
            leave(entry, Departure.REPLACED, at=at)
    for entry in entries.values():
        if entry.submission_id not in submissions and entry.plays:
            leave(entry, Departure.WITHDRAWN, at=at)  # its sources were removed
    _enter(
        ladder,
        [key for key, submission in submissions.items() if _is_new(submission, entries, stay)],
        at,
    )


def _staying(
    submissions: Iterable[Submission], entries: Mapping[int | None, LadderEntry], *, limit: int
) -> frozenset[tuple[int, int]]:
    gone = {key for key, entry in entries.items() if entry.departure in GONE}
    return staying(
        [
            Version(team=submission.team_id, number=submission.number, is_out=submission.pk in gone)
            for submission in submissions
        ],
        limit=limit,
    )


def _is_new(
    submission: Submission,
    entries: Mapping[int | None, LadderEntry],
    stay: frozenset[tuple[int, int]],
) -> bool:
    return submission.pk not in entries and (submission.team_id, submission.number) in stay


def _enter(ladder: Ladder, keys: list[int], at: datetime) -> None:
    if not keys:
        return
    numbers = list(ladder.entries.values_list("number", flat=True))
    number = max(numbers, default=-1)
    teams = ladder.entries.filter(submission__isnull=False)
    versions = Counter(teams.values_list("submission__team_id", flat=True))
    options = ladder.assignment.interface_options
    rows = Submission.objects.filter(pk__in=keys).select_related("team").order_by("pk")
    for submission in rows:
        number += 1
        versions[submission.team_id] += 1
        agent = agent_of(submission, options)
        LadderEntry.objects.create(
            ladder=ladder,
            number=number,
            name=submission.team.alias,
            version=versions[submission.team_id],
            submission=submission,
            agent=msgspec.to_builtins(agent),
            ms_per_game=_pace_of(submission),
            entered_at=at,
        )


def _pace_of(submission: Submission) -> float | None:
    played = submission.evaluations.filter(ms_per_game__isnull=False)
    return played.order_by("-pk").values_list("ms_per_game", flat=True).first()


def _return(entry: LadderEntry) -> None:
    entry.departure, entry.left_at = Departure.NONE, None
    entry.save(update_fields=["departure", "left_at"])


def leave(entry: LadderEntry, departure: Departure, *, at: datetime) -> None:
    """Take an agent off the ladder."""
    entry.departure, entry.left_at = departure, at
    entry.save(update_fields=["departure", "left_at"])


def leave_if_faulty(ladder: Ladder, numbers: Iterable[int], *, at: datetime) -> list[LadderEntry]:
    """Take agents off whose faults ended too many of their latest games; return them."""
    left = []
    for entry in ladder.entries.active().filter(number__in=list(numbers)):
        games = LadderGame.objects.filter(ladder=ladder).of(entry.number)
        latest = games.order_by("-index").only("fault_seat", "seating")[:LATEST_GAMES]
        if faults_too_often([game.culprit == entry.number for game in latest]):
            leave(entry, Departure.FAULTY, at=at)
            left.append(entry)
    return left

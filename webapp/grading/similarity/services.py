"""Comparisons of sources: asked for by staff, read and compared by a worker, some at a time."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import BytesIO
from time import monotonic
from typing import Final
from zipfile import ZipFile

import msgspec
import numpy as np
from django.db import transaction
from django.utils import timezone

from grader.core.errors import RulesError, SystemFault
from grader.core.words import counted
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES
from grader.interfaces.declaration import KitLibrary
from grader.interfaces.starter_kit import starter_files
from grader.uploads.archive import read_archive
from webapp.base.errors import Refused
from webapp.grading.similarity.models import Comparison, SimilarPair, SourcePrints
from webapp.grading.similarity.pairing import ComparedProgram, compare
from webapp.grading.similarity.prints import grams_of, prints_of
from webapp.grading.similarity.tokens import SCHEME, is_source
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive, counted_submissions
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Enrolment, Membership
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.permissions import require_right, require_unarchived
from webapp.teaching.courses.rights import Right

logger = logging.getLogger(__name__)

MAX_EARLIER_ASSIGNMENTS: Final = 12
"""The latest of them; six years of two terms."""
MAX_EARLIER: Final = 12_000
SLICE_SECONDS: Final = 4.0
"""The time for which sources are read before the worker's other tasks have their turn."""
_AT_ONCE: Final = 20
"""Submissions whose fingerprints are written in one transaction."""


@transaction.atomic
def start_comparison(*, assignment: Assignment, by: User, at: datetime | None = None) -> Comparison:
    """Ask for a comparison of the submissions that count now; a worker does it.

    Raises NotAllowed; Refused before the due date, below two submissions, and while one goes on.
    """
    require_right(by, assignment.course, Right.INTEGRITY)
    require_unarchived(assignment.course)
    now = at or timezone.now()
    if now < assignment.due_at:
        raise Refused(
            "Sources can be compared after the due date: until then teams can change them."
        )
    lock(assignment)
    if assignment.source_comparisons.filter(finished_at__isnull=True).exists():
        raise Refused("The sources are being compared already. Wait until this has finished.")
    own = _keys(assignment)
    if len(own) < 2:
        raise Refused("Fewer than two submissions count, so there is nothing to compare.")
    earlier = _earlier_keys(assignment, by)
    comparison = Comparison.objects.create(
        assignment=assignment, requested_by=by, requested_at=now, own=own, earlier=earlier
    )
    SourcePrints.objects.filter(submission__in=own + earlier).exclude(failure="").delete()
    record(
        ActKind.SOURCES_COMPARED,
        by=by,
        thing=assignment,
        after={"submissions": len(own), "of earlier assignments": len(earlier)},
        at=now,
    )
    return comparison


def _keys(assignment: Assignment) -> list[int]:
    return sorted(submission.pk for submission in counted_submissions(assignment).values())


def _earlier_keys(assignment: Assignment, by: User) -> list[int]:
    """Return what counted in earlier assignments of the game where ``by`` is on the staff."""
    places = Enrolment.objects.active().filter(user=by, role__in=STAFF_ROLES)
    assignments = (
        Assignment.objects.filter(
            game=assignment.game,
            course__in=places.values("course"),
            due_at__lt=assignment.due_at,
        )
        .exclude(pk=assignment.pk)
        .select_related("course")
        .order_by("-due_at")[:MAX_EARLIER_ASSIGNMENTS]
    )
    keys = [key for assignment in assignments for key in _keys(assignment)]
    return keys[:MAX_EARLIER]


def go_on_comparing(*, at: datetime, seconds: float = SLICE_SECONDS) -> int:
    """Read more sources for each comparison under way; return how many still go on."""
    until = monotonic() + seconds
    for comparison in Comparison.objects.filter(finished_at__isnull=True):
        while (missing := _missing(comparison)) and monotonic() < until:
            _read(missing[:_AT_ONCE])
        Comparison.objects.filter(pk=comparison.pk).update(done=comparison.total - len(missing))
        if not missing:
            _finish(comparison, at=at)
    return Comparison.objects.filter(finished_at__isnull=True).count()


def _missing(comparison: Comparison) -> list[int]:
    """Return the submissions without fingerprints. One that was deleted meanwhile needs none."""
    rows = SourcePrints.objects.filter(submission__in=comparison.keys, scheme=SCHEME)
    missing = set(comparison.keys) - set(rows.values_list("submission", flat=True))
    return sorted(Submission.objects.filter(pk__in=missing).values_list("pk", flat=True))


def _read(keys: Iterable[int]) -> None:
    rows = [_prints_row(submission) for submission in Submission.objects.filter(pk__in=keys)]
    SourcePrints.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=["scheme", "packed", "failure"],
    )


def _prints_row(submission: Submission) -> SourcePrints:
    row = SourcePrints(submission=submission, scheme=SCHEME)
    try:
        files = {file.name: file.data for file in read_archive(archive(submission)).files}
    except (Refused, SystemFault) as fault:
        logger.warning("the source of submission %d is not compared: %s", submission.pk, fault)
        row.packed, row.failure = b"", str(fault)[:300]
    else:
        row.packed = prints_of(own_files(files, submission.interface)).packed()
    return row


def _finish(comparison: Comparison, *, at: datetime) -> None:
    pairs, typical_share = _compared(comparison)
    with transaction.atomic():
        rows = Comparison.objects.select_for_update().filter(pk=comparison.pk)
        if not rows.filter(finished_at__isnull=True).exists():
            return
        SimilarPair.objects.bulk_create(pairs)
        rows.update(finished_at=at, done=comparison.total, typical_share=typical_share)
        comparison.assignment.source_comparisons.exclude(pk=comparison.pk).delete()


def _compared(comparison: Comparison) -> tuple[list[SimilarPair], float]:
    """Return the pairs, and the typical share. Three queries, of rows of some kilobytes."""
    rows = SourcePrints.objects.filter(submission__in=comparison.keys, failure="")
    prints = {row.submission_id: row.prints.keys for row in rows.iterator()}
    people = _people(prints)
    keys = [key for key in comparison.keys if key in prints]
    own = sum(key in prints for key in comparison.own)
    given = given_grams(comparison.assignment)
    programs = [ComparedProgram(people[key], prints[key]) for key in keys]
    figures = compare(programs, own=own, given=given)
    without = given | figures.common
    pairs = [
        SimilarPair(
            comparison=comparison,
            first_id=keys[pair.first],
            second_id=keys[pair.second],
            place=place,
            shared=pair.shared,
            first_share=pair.first_share,
            second_share=pair.second_share,
            packed=_packed(programs[pair.first], programs[pair.second], without),
        )
        for place, pair in enumerate(figures.pairs, start=1)
    ]
    return pairs, figures.typical_share


def _packed(first: ComparedProgram, second: ComparedProgram, without: frozenset[int]) -> bytes:
    shared = np.intersect1d(first.hashes, second.hashes).tolist()
    return msgspec.msgpack.encode([key for key in shared if key not in without])


def _people(submissions: Iterable[int]) -> dict[int, frozenset[int]]:
    teams = dict(Submission.objects.filter(pk__in=submissions).values_list("pk", "team"))
    members: dict[int, set[int]] = {}
    for team, user in Membership.objects.filter(team__in=set(teams.values())).values_list(
        "team", "user"
    ):
        members.setdefault(team, set()).add(user)
    return {key: frozenset(members.get(team, ())) for key, team in teams.items()}


@transaction.atomic
def note_opened(*, pair: SimilarPair, by: User) -> None:
    """Record in the audit log that a pair is viewed. Raises NotAllowed."""
    assignment = pair.comparison.assignment
    require_right(by, assignment.course, Right.INTEGRITY)
    record(
        ActKind.PAIR_OPENED,
        by=by,
        course=assignment.course,
        team=pair.first.team,
        thing=f"{assignment}, {pair}",
    )


@transaction.atomic
def note_download(*, assignment: Assignment, by: User, submissions: int) -> None:
    """Record in the audit log that all sources are downloaded. Raises NotAllowed."""
    require_right(by, assignment.course, Right.INTEGRITY)
    record(
        ActKind.SOURCES_DOWNLOADED,
        by=by,
        course=assignment.course,
        thing=f"{assignment}, {counted(submissions, 'submission')}",
    )


_KEPT: Final[dict[str, frozenset[int]]] = {}
"""By game: the same for all assignments, and a second's work."""


def given_grams(assignment: Assignment) -> frozenset[int]:
    """Return the hashes of the game's starter kits, frameworks and house agents."""
    game = assignment.game
    if game not in _KEPT:
        _KEPT[game] = frozenset(grams_of([*_shipped(game), *_house_agents(game)]))
    return _KEPT[game]


def own_files(files: Mapping[str, bytes], interface: str) -> dict[str, bytes]:
    """Return an upload's files without the course's own, which its build leaves out."""
    declared = INTERFACES.get(interface)
    copies = frozenset() if declared is None else declared.copies(files)
    return {name: data for name, data in files.items() if name not in copies}


def _shipped(game: str) -> Iterator[Mapping[str, bytes]]:
    for name, interface in INTERFACES.items():
        try:
            kit = starter_files(game, interface=name)
        except (LookupError, RulesError):  # no agents of this interface play the game
            continue
        yield kit
        if interface.kit is not None:
            yield _framework(interface.kit)


def _framework(kit: KitLibrary) -> dict[str, bytes]:
    paths = [path for path in kit.path.rglob("*.*") if path.name.endswith(kit.only)]
    return {str(path): path.read_bytes() for path in paths if is_source(path.name)}


def _house_agents(game: str) -> list[dict[str, bytes]]:
    return [_unzipped(agent.bundle()) for agent in AGENTS.values() if agent.game == game]


def _unzipped(bundle: bytes) -> dict[str, bytes]:
    with ZipFile(BytesIO(bundle)) as files:
        return {name: files.read(name) for name in files.namelist()}

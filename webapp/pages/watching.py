"""Pages that are watched while something is played: one poll each, which costs next to nothing.

A page polls the address of its live part with the entity tag of what it shows. The answer is

- 304, if nothing has changed;
- the numbers that have changed, to be put where they stand, if only numbers have;
- the live part as a whole, if anything else has.

The first half of the tag stands for the shape of the part, the second for its numbers.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django_htmx.http import reswap, retarget

from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.selectors import Progress, progress
from webapp.grading.evaluations.watching import waiting_audits
from webapp.people.accounts.models import User

_PLAYING_SECONDS: Final = 1.5
_QUEUED_SECONDS: Final = 5
"""Longer: nothing happens, and before a deadline most pages show just this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """An evaluation under way, and its numbers."""

    evaluation: Evaluation
    progress: Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The state a page shows now, and how it learns of more."""

    address: str
    shape: str
    numbers: str
    seconds: float
    """Until it asks again."""
    live: tuple[Live, ...] = ()
    part: str = "#live"
    """Selects the element that is replaced when the shape has changed."""

    @property
    def tag(self) -> str:
        """The entity tag."""
        return f'"{self.shape}.{self.numbers}"'

    @property
    def headers(self) -> str:
        """Headers the page sends with its poll, as JSON."""
        return json.dumps({"If-None-Match": self.tag})


def watch_state(
    address: str, state: Sequence[object], *, seconds: float = _QUEUED_SECONDS, part: str = "#live"
) -> Watch | None:
    """Watch for a change of any of these values; ``None`` without values."""
    if not state:
        return None
    return Watch(address=address, shape=digest(state), numbers="", seconds=seconds, part=part)


def watch_evaluations(address: str, evaluations: Iterable[Evaluation], user: User) -> Watch | None:
    """Watch evaluations of one submission or house agent; ``None`` if none is under way.

    One that has just finished is watched until its statistics are there; by staff, until its
    replay audit is answered.
    """
    ordered = sorted(evaluations, key=lambda evaluation: evaluation.pk)
    live = tuple(
        Live(evaluation=evaluation, progress=progress(evaluation))
        for evaluation in ordered
        if evaluation.is_open
    )
    if not live and not any(evaluation.awaits_insights for evaluation in ordered):
        return watch_state(address, waiting_audits(user, ordered))
    waits = live and all(section.evaluation.status == Status.QUEUED for section in live)
    return Watch(
        address=address,
        shape=digest([*map(_shape, ordered), *(section.progress.grader_ready for section in live)]),
        numbers=digest([_numbers(section) for section in live]),
        seconds=_QUEUED_SECONDS if waits else _PLAYING_SECONDS,
        live=live,
    )


def _shape(evaluation: Evaluation) -> tuple[object, ...]:
    submission = evaluation.submission
    stage = "" if submission is None else submission.status
    # The sentence on faults appears with the first one; how many there are is a number.
    return (
        evaluation.pk,
        evaluation.status,
        evaluation.verdict,
        stage,
        evaluation.faults > 0,
        evaluation.awaits_insights,
    )


def _numbers(live: Live) -> tuple[object, ...]:
    """Return the figures whose change is news: not the estimate of the time left."""
    now = live.progress
    return now.games_done, now.n_games, now.games_ahead, now.why, live.evaluation.faults


def digest(values: Sequence[object]) -> str:
    """Return a short name for these values."""
    return blake2b(repr(values).encode(), digest_size=8).hexdigest()


def answer(
    request: HttpRequest,
    watch: Watch | None,
    whole: Callable[[], HttpResponse],
    *,
    part: str = "#live",
) -> HttpResponse:
    """Answer a poll with as little as has changed.

    ``whole`` makes the live part; ``part`` selects it where nothing is watched any more.
    """
    asked = request.headers.get("If-None-Match", "")
    if watch is not None and asked == watch.tag:
        return HttpResponseNotModified(headers={"ETag": asked})
    if watch is not None and asked.startswith(f'"{watch.shape}.'):
        response = render(request, "components/_numbers.html", {"watch": watch})
        response["ETag"] = watch.tag
        return response
    response = whole()
    if watch is not None:
        response["ETag"] = watch.tag
    if asked and response.status_code == HTTPStatus.OK:  # the element that asked is inside
        return retarget(reswap(response, "outerHTML"), watch.part if watch else part)
    return response

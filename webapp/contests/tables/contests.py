"""Contests: tournaments and ladders. Agents of an assignment, their entries, meet at tables.

The games of a contest are ``SeatedGame``. Its scheduler chooses the tables: a plan, or a ladder.
"""

import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import msgspec
from django.db import models

from grader.core.deals import SECRET_BYTES
from grader.core.records import AgentRef, from_json
from grader.house.catalogue import fitting, title_of
from grader.tournament import (
    Figure,
    ParticipantRole,
    PlanParticipant,
    Standing,
    Standings,
    TournamentSpec,
)
from webapp.base.artefacts import stored_house_agent
from webapp.base.errors import Refused
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import Person

E = TypeVar("E", bound="ContestEntry")


def new_secret() -> bytes:
    """Draw the secret of one contest: its tables, seats and deals follow from it, nothing else."""
    return secrets.token_bytes(SECRET_BYTES)


class Contest(models.Model):
    """The rules, the secret and the standings of a contest."""

    spec = models.JSONField()
    """TournamentSpec as JSON, frozen at the start: later changes of the assignment are ignored."""
    secret = models.BinaryField(default=new_secret, editable=False)
    standings_json = models.TextField(blank=True)
    """The standings at ``summed_up_at``: a cache of figures derived from games."""
    summed_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def parsed_spec(self) -> TournamentSpec:
        """The spec as a value. Raises RecordError if another version wrote it."""
        return from_json(msgspec.json.encode(self.spec), TournamentSpec)

    @property
    def standings(self) -> Standings | None:
        return from_json(self.standings_json, Standings) if self.standings_json else None


class ContestEntry(models.Model):
    """An agent of a contest: a submission or a house agent, known everywhere by its number."""

    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    """The team's alias, or the house agent's name: anonymous."""
    house_agent = models.CharField(max_length=40, blank=True)
    agent = models.JSONField()
    """AgentRef as JSON: exactly which version plays."""

    class Meta:
        abstract = True
        ordering = ("number",)

    def __str__(self) -> str:
        return title_of(self.name)

    @property
    def plays_as(self) -> ParticipantRole:
        return ParticipantRole.REFERENCE if self.house_agent else ParticipantRole.ENTRANT

    @property
    def as_value(self) -> PlanParticipant:
        agent = msgspec.convert(self.agent, AgentRef)
        return PlanParticipant(name=self.name, agent=agent, role=self.plays_as)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntry(Generic[E]):
    """An entry and its standing, with only the facts that the viewer may know."""

    entry: E
    names: tuple[str, ...]
    """Real names; empty unless the viewer may see them."""
    mine: bool
    standing: Standing | None
    """``None`` before its first game, and for viewers who may not see results."""
    rank: int | None

    @classmethod
    def of(cls, entry: E, viewer: Person, *, sees_names: bool, **values: Any) -> Self:
        """Make one of an entry whose team and members were read with it."""
        submission = getattr(entry, "submission", None)
        users = [] if submission is None else list(submission.team.users.all())
        return cls(
            entry=entry,
            names=tuple(user.display_name for user in users) if sees_names else (),
            mine=any(user.pk == viewer.pk for user in users),
            **values,
        )

    @property
    def figure(self) -> Figure | None:
        """The adjusted mean; the mean as played before there is one."""
        standing = self.standing
        return None if standing is None else standing.adjusted or standing.mean


def shared_ranks(rows: Iterable[RankedEntry[Any]]) -> frozenset[int]:
    """Return the ranks that several rows have."""
    counts = Counter(row.rank for row in rows)
    return frozenset(rank for rank, number in counts.items() if rank is not None and number > 1)


def stored_house_agents(assignment: Assignment, names: Iterable[str]) -> dict[str, AgentRef]:
    """Store these house agents where graders find them. Raises Refused."""
    fit = fitting(assignment.rules)
    for name in names:
        if name not in fit:
            raise Refused(f"No house agent named {name} plays by these rules.")
    return {name: stored_house_agent(name) for name in names}

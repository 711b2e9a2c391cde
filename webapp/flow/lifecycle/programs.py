"""Decides which program an imported row names. A digest alone is no key to an upload of this site.

A row keeps the digest of its submission, whose program is in the same file, or that of a house
agent of this site. Any other digest is replaced by a keyed one: it still matches itself, and leads
to nothing in the store, so that nobody can read or play another course's program by its digest.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from grader.core.errors import RecordError
from grader.core.records import AgentRef, from_json
from grader.house.catalogue import AGENTS
from webapp.base.artefacts import keyed_digest, stored_house_agent
from webapp.contests.playing.models import Occupant


class Programs:
    """The programs of one import, by the new keys of their submissions."""

    def __init__(self) -> None:
        self._submitted: dict[int, str | None] = {}
        """Digests; ``None``: the sources were removed."""
        self._house_agent = cache(stored_house_agent)

    def add(self, submission: Any) -> None:
        """Note a submission that was inserted, whose program is in the file unless removed."""
        is_there = submission.sources_removed_at is None
        self._submitted[submission.pk] = submission.sha256 if is_there else None

    def settle(self, label: str, row: Any) -> None:
        """Settle each digest in a row of this table. Raises RecordError for one of another program.

        Other tables have no digests.
        """
        if label == "evaluations.evaluation":
            agent, *opponents = row.agents
            names = row.parsed_spec.opponents
            if len(names) != len(opponents):
                raise RecordError("its opponents are not those of its spec")
            row.sha256 = self._of_row(row, agent).sha256
            pairs = zip(names, opponents, strict=True)
            row.opponents = [msgspec.to_builtins(self._of_house(*pair)) for pair in pairs]
        elif label in {"tournaments.participant", "ladders.ladderentry"}:
            agent = from_json(msgspec.json.encode(row.agent), AgentRef)
            row.agent = msgspec.to_builtins(self._of_row(row, agent))
        elif label == "playing.humangame":
            seats = from_json(msgspec.json.encode(row.seats), tuple[Occupant, ...])
            row.seats = [msgspec.to_builtins(self._seated(seat)) for seat in seats]

    def _of_row(self, row: Any, agent: AgentRef) -> AgentRef:
        if row.submission_id is None:
            return self._of_house(row.house_agent, agent)
        return self._of_submission(row.submission_id, agent)

    def _seated(self, occupant: Occupant) -> Occupant:
        if occupant.agent is None:
            return occupant
        if occupant.submission is None:
            agent = self._of_house(occupant.house, occupant.agent)
        else:
            agent = self._of_submission(occupant.submission, occupant.agent)
        return replace(occupant, agent=agent)

    def _of_submission(self, submission: int, agent: AgentRef) -> AgentRef:
        sha256 = self._submitted[submission]
        if sha256 is None:
            return _unreadable(agent)
        if agent.sha256 != sha256:
            raise RecordError("it names another program than that of its submission")
        return agent

    def _of_house(self, name: str, agent: AgentRef) -> AgentRef:
        if name in AGENTS and self._house_agent(name).sha256 == agent.sha256:
            return agent
        return _unreadable(agent)


def _unreadable(agent: AgentRef) -> AgentRef:
    return replace(agent, sha256=keyed_digest(agent.sha256))

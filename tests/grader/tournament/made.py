"""Tournaments for tests."""

from typing import Any

from grader.core.records import AgentRef, Fault, FaultKind
from grader.tournament import (
    ParticipantRole,
    PlanParticipant,
    PlayedTable,
    TournamentSpec,
    WantedGame,
)

SECRET = bytes(range(32))
REF = AgentRef(interface="python", sha256="0" * 64)


def spec(**fields: Any) -> TournamentSpec:
    usual: dict[str, Any] = {"game": "hanabi", "options": {}, "sizes": (5,), "rounds": 1}
    return TournamentSpec(**{**usual, **fields})


def participants(players: int, fillers: int = 0) -> list[PlanParticipant]:
    return [
        PlanParticipant(
            name=str(number),
            agent=REF,
            role=ParticipantRole.ENTRANT if number < players else ParticipantRole.FILLER,
        )
        for number in range(players + fillers)
    ]


def clean(game: WantedGame, *scores: int) -> PlayedTable:
    shared = scores * len(game.seating) if len(scores) == 1 else scores
    return PlayedTable(index=game.index, seating=game.seating, scores=shared)


def spoiled(game: WantedGame, culprit: int, kind: FaultKind = FaultKind.CRASH) -> PlayedTable:
    fault = Fault(seat=game.seating.index(culprit), kind=kind, turn=0, detail="")
    scores = (0,) * len(game.seating)
    return PlayedTable(index=game.index, seating=game.seating, scores=scores, fault=fault)

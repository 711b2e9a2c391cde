"""Requests to graders: the games of one table that the same participants play.

The unit of the queue is a ``BatchRequest``, as for evaluations, but each game names its own seats.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.core.deals import deal_seed
from grader.core.errors import RecordError
from grader.core.records import BatchRequest, GameRequest, GameResult, Mode
from grader.tournament.games_due import PlayedTable, WantedGame, played
from grader.tournament.spec import PlanParticipant, TournamentSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBatch:
    """Games with the same participants at one table. Keep it until its results are in."""

    table: int
    participants: tuple[int, ...]
    """Different ones, in the order of the request's agents."""
    games: tuple[WantedGame, ...]

    def played(self, result: GameResult) -> PlayedTable:
        """A result of this batch, for the ledger. Raises RecordError if it is not of this batch."""
        for game in self.games:
            if game.index == result.index:
                return played(result, game.seating)
        raise RecordError(f"game {result.index} was not asked for in this batch")


def table_batches(wanted: Iterable[WantedGame]) -> tuple[TableBatch, ...]:
    """Group the games to play into batches, in their order.

    No batch has a deal twice, although each deal is played from every seat: an agent might pass
    notes from one game to the next, and they must not tell it the cards.
    """
    groups: dict[tuple[int, tuple[int, ...], int], list[WantedGame]] = {}
    times: Counter[tuple[int, tuple[int, ...], int]] = Counter()
    for game in wanted:
        members = tuple(sorted(game.seating))
        deal = (game.table, members, game.deal)
        groups.setdefault((game.table, members, times[deal]), []).append(game)
        times[deal] += 1
    return tuple(
        TableBatch(table=table, participants=tuple(dict.fromkeys(members)), games=tuple(games))
        for (table, members, _), games in groups.items()
    )


def batch_request(
    spec: TournamentSpec,
    batch: TableBatch,
    *,
    tournament: str,
    name: str,
    participants: Mapping[int, PlanParticipant] | Sequence[PlanParticipant],
    secret: bytes,
) -> BatchRequest:
    """Ask for the games of a batch. ``tournament`` and ``name`` are opaque, and echoed.

    ``participants``, by number, are at least those of the batch.
    Every seat has a process of its own, even if its agent's interface prefers one for all seats.
    """
    seatings = [
        tuple(batch.participants.index(member) for member in game.seating) for game in batch.games
    ]
    return BatchRequest(
        evaluation=tournament,
        batch=name,
        game=spec.game,
        options={**spec.options, "players": len(seatings[0])},
        limits=spec.limits,
        agents=tuple(participants[number].agent for number in batch.participants),
        seating=seatings[0],
        games=tuple(
            GameRequest(
                index=game.index, deal_seed=deal_seed(secret, game.deal).hex(), seating=seating
            )
            for game, seating in zip(batch.games, seatings, strict=True)
        ),
        max_consecutive_faults=spec.policy.faults_to_removal,
        check_first=False,
        mode=Mode.SEAT,
    )

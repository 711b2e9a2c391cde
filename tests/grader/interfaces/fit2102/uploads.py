"""Uploads of this interface for tests, and requests to play them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, BatchRequest
from tests.support.agents import practice_request
from tests.support.archives import archive, archive_of
from tests.support.deeds import Deals, deals_for

AGENTS: Final = Path(__file__).parent / "agents"
INTERFACE: Final = "fit2102-haskell"

_PLAYER: Final = """{pragmas}
module Player (playCard, makeBid) where
import Cards
import Hearts.Types
import Hearts.Rules
{top}
makeBid :: BidFunc
makeBid = undefined

playCard :: PlayFunc
playCard me hand trick before = {answer}
  where
    usual = (head allowed, memory)
    memory = if broken then "b" else "-"
    broken = case before of
      Nothing -> False
      Just (previous, old) -> take 1 old == "b" || any ((== 1) . cardPoints . fst) previous
    earlier = maybe [] (const [[Card Heart Two | broken]]) before
    allowed = [card | card <- hand, Right _ <- [validPlay card me hand (map fst trick) earlier]]
"""


def player(answer: str = "usual", *, top: str = "", pragmas: str = "", **beside: str) -> bytes:
    """The archive of a ``Player.hs`` that answers this expression, and of files ``beside`` it.

    In it ``usual`` is a legal answer and ``length hand`` tells the tricks apart: 13 cards are held
    in the first.
    """
    return archive({"Player.hs": _PLAYER.format(answer=answer, top=top, pragmas=pragmas)} | beside)


def choosing(answers: Sequence[str], *, top: str = "") -> bytes:
    """The archive of a ``Player.hs`` with all of these answers to whoever leads in the first trick.

    Which of them is given follows from that player's hand.
    """
    number = f"sum [fromEnum rank | Card _ rank <- hand] `mod` {len(answers)}"
    cases = "".join(f"    {at} -> {answer}\n" for at, answer in enumerate(answers))
    chosen = f"if not (null before && null trick) then usual else case {number} of\n{cases}"
    return player(f"{chosen}    _ -> usual", top=top)


def deals_of(answers: Sequence[str]) -> Deals:
    request = request_for([0])
    game = game_from_options(request.game, request.options)

    def fits(seed: bytes) -> int:
        state = game.deal(seed)
        assert state.seat_to_act is not None
        hand = state.observe(state.seat_to_act)["hand"]
        return sum("23456789TJQKA".index(card[1]) for card in hand) % len(answers)

    return deals_for(answers, fits)


def folder(agent: str) -> bytes:
    return archive_of(AGENTS / agent)


def request_for(
    games: Iterable[int], *, turn_seconds: float = 1.0, memory_mib: int = 256, **options: object
) -> BatchRequest:
    """Ask for games of four, of one hand each unless ``options`` say otherwise."""
    limits = AgentLimits(
        turn_seconds=turn_seconds, turn_wall_seconds=2 * turn_seconds, memory_mib=memory_mib
    )
    options = {"players": 4, "hands": 1, **options}
    return practice_request([INTERFACE], games, game="hearts", limits=limits, **options)

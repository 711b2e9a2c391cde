"""Uploads of this interface for tests, and requests to play them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from grader.core.records import BatchRequest
from tests.support.agents import practice_request
from tests.support.archives import archive, archive_of
from tests.support.deeds import Deals, deals_for, first_cards

AGENTS: Final = Path(__file__).parent / "agents"

_PLAYER: Final = """
#include "Card.h"
#include "Events.h"
{top}
class Player {{
public:
    Player() : turn(0), hints(0) {{ {made} }}
    void tell(Event* event, vector<int> board, int hints, int fuses, vector<Card> oHand,
              int deckSize) {{
        this->hints = hints;
        partners = oHand;
        {tell}
    }}
    Event* ask() {{
        turn++;
        {ask}
        if (hints > 0) return new NumberHintEvent(vector<int>(), partners[0].number);
        return new DiscardEvent(0);
    }}
    int turn, hints;
    vector<Card> partners;
}};
"""


def player(ask: str = "", *, top: str = "", made: str = "", tell: str = "") -> bytes:
    """The archive of a ``Player.h`` with these statements in it; what it does is legal else."""
    text = _PLAYER.format(ask=ask, top=top, made=made, tell=tell)
    return archive({"Player.h": text})


_COLORS: Final = "RBGYW"
_NO_DEED: Final = 24
"""The number of the last card, the white five."""


def doing(deeds: Mapping[str, str], *, top: str = "") -> bytes:
    """The archive of a ``Player.h`` with all of these statements, of which a deal chooses one."""
    assert len(deeds) <= _NO_DEED
    chosen = "if (turn == 1) deed = 5 * partners[0].color + partners[0].number - 1;\n"
    parts = [f"if (deed == {at}) {{\n{text}\n}}\n" for at, text in enumerate(deeds.values())]
    return player(chosen + "".join(parts), top=f"{top}\nstatic int deed = -1;")


def deals_of(deeds: Iterable[str], *, both: bool = False) -> Deals:
    """For each deed of such an agent a deal in which seat 0 does it; or ``both`` seats do."""
    request = request_for([0])

    def fits(seed: bytes) -> int | None:
        own, partners = (
            5 * _COLORS.index(card[0]) + int(card[1]) - 1 for card in first_cards(request, seed)
        )
        return partners if own == (partners if both else _NO_DEED) else None

    return deals_for(deeds, fits)


def folder(agent: str) -> bytes:
    return archive_of(AGENTS / agent)


def request_for(games: Iterable[int]) -> BatchRequest:
    return practice_request(["gcc-cpp"], games)

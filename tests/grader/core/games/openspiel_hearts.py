"""OpenSpiel's Hearts as an oracle for ours.

How it is driven: a card is ``rank * 4 + suit`` with suits C D H S and ranks 2 to A; the first
chance action is the direction of passing, the following ones deal the cards, one to each seat in
turn; a pass is three actions, as ours. Its seats play in the order of their numbers. What differs,
and how it is configured away: it plays one hand and not several (``hands: 1``; the direction is
chosen to be that of our first hand, to the left), and returns ``26 - points``, which is turned
around. Its rules are otherwise our ``standard``; with ``qs_breaks_hearts=False`` and
``pass_cards=False`` our ``fit2102``.
"""

from collections.abc import Sequence
from typing import Any

import pyspiel

SUITS, RANKS = "CDHS", "23456789TJQKA"
NOWHERE, LEFT = 0, 1


class Oracle:
    """One hand of OpenSpiel's, from a chosen deck in our order: seat 0's cards first."""

    def __init__(self, deck: Sequence[str], *, passing: bool, queen_breaks: bool) -> None:
        parameters = {"pass_cards": passing, "qs_breaks_hearts": queen_breaks}
        self._state: Any = pyspiel.load_game("hearts", parameters).new_initial_state()
        self._state.apply_action(LEFT if passing else NOWHERE)
        for place in range(13):
            for seat in range(4):
                self._state.apply_action(number(deck[13 * seat + place]))

    def legal(self) -> set[str]:
        return {card(action) for action in self._state.legal_actions()}

    def apply(self, played: str) -> None:
        self._state.apply_action(number(played))

    @property
    def over(self) -> bool:
        return bool(self._state.is_terminal())

    @property
    def seat(self) -> int:
        return int(self._state.current_player())

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the hand, as we count them."""
        return tuple(26 - int(value) for value in self._state.returns())


def number(card: str) -> int:
    return RANKS.index(card[1]) * 4 + SUITS.index(card[0])


def card(action: int) -> str:
    return SUITS[action % 4] + RANKS[action // 4]

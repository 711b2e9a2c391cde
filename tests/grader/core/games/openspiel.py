"""OpenSpiel's Hanabi (DeepMind's Hanabi Learning Environment inside) as an oracle for ours.

How it is driven: chance action ``colour * 5 + rank`` deals a card; a player's actions are numbered
discards, plays, colour hints, rank hints, hints by seat counted from the one that acts. Cards are
dealt in blocks, all of seat 0 first. Its rules are our variant ``standard``, so nothing has to be
configured away; two differences are of form only: it moves a seat on after the last action, which
is not compared, and lists its actions in another order, which is compared as a set.
"""

from typing import Any

import pyspiel

from grader.core.games import JsonObject, State

COLORS, RANKS = "RYGWB", "12345"


class Oracle:
    """One game of OpenSpiel's, from a chosen deck, spoken to in our notation of actions."""

    def __init__(self, players: int, deck: list[str]) -> None:
        hand_size = 5 if players <= 3 else 4
        self._players = players
        self._numbers = [COLORS.index(card[0]) * 5 + RANKS.index(card[1]) for card in deck]
        self._next = 0
        self._state: Any = _game(players).new_initial_state()
        self._plain = [f"{kind}{i}" for kind in "dp" for i in range(hand_size)]
        self._deal()

    def _deal(self) -> None:
        while self._state.is_chance_node():
            self._state.apply_action(self._numbers[self._next])
            self._next += 1

    def _notations(self) -> list[str]:
        seat = self._state.current_player()
        others = [(seat + step) % self._players for step in range(1, self._players)]
        hints = [
            f"h{to}{symbol}" for symbols in (COLORS, RANKS) for to in others for symbol in symbols
        ]
        return self._plain + hints

    def legal(self) -> set[str]:
        notations = self._notations()
        return {notations[number] for number in self._state.legal_actions()}

    def apply(self, notation: str) -> None:
        self._state.apply_action(self._notations().index(notation))
        self._deal()

    @property
    def over(self) -> bool:
        return bool(self._state.is_terminal())

    @property
    def seat(self) -> int:
        return int(self._state.current_player())

    @property
    def score(self) -> int:
        return int(self._state.returns()[0])

    def table(self) -> str:
        return str(self._state).replace("Cur player\n", "").strip()


_GAMES: dict[int, Any] = {}


def _game(players: int) -> Any:
    if players not in _GAMES:
        _GAMES[players] = pyspiel.load_game(f"hanabi(players={players})")
    return _GAMES[players]


def table(state: State, players: int) -> str:
    seen = [state.observe(seat) for seat in range(players)]
    any_seat = seen[0]
    fireworks = "".join(f"{color}{top} " for color, top in any_seat["fireworks"].items())
    hands = [_hand(seen[(seat + 1) % players]["hands"][seat]) for seat in range(players)]
    return (
        f"Life tokens: {any_seat['lives']}\nInfo tokens: {any_seat['hint_tokens']}\n"
        f"Fireworks: {fireworks}\nHands:\n" + "-----\n".join(hands) + f"Deck size: "
        f"{any_seat['deck']}\nDiscards: {' '.join(any_seat['discards'])}"
    ).strip()


def _hand(hand: JsonObject) -> str:
    lines = []
    for card, known in zip(hand["cards"], hand["knowledge"], strict=True):
        hinted = (known["color"] or "X") + str(known["rank"] or "X")
        lines.append(f"{card} || {hinted}|{known['colors']}{known['ranks']}\n")
    return "".join(lines)

"""The seats that one process plays with one agent: all of the game in ``team``, else one."""

import contextlib
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from firebox.adapter import seed_random

from .moves import JsonObject, LostCoin, RefusedMove, read_move
from .table import EnstaTable

MAX_REFUSALS: Final = 1000
"""Number of equal refusals in a row in one turn after which an agent is given up."""
_ENDS: Final = (StopIteration, KeyboardInterrupt, EOFError)
"""Exceptions by which the course's game ends with its score, also if they come out of ``play``."""


class Seats:
    """An agent, driven with messages of the wire."""

    def __init__(self, agent_class: Any, deck: ModuleType, *, ours: bool) -> None:
        self._agent_class = agent_class
        self._deck = deck
        self._ours = ours
        self._table: EnstaTable | None = None
        self._agent: Any = None
        self.refused = 0
        """Moves of this turn that were not valid."""
        self.refusal = ""
        """The last of them, and why."""
        self._same = 0
        """The number of moves in a row that were refused for that."""
        self._is_over = False
        """The agent has ended its game."""

    def start(self, message: JsonObject) -> None:
        """Make the game, at the first seat's start. The agent is made when the cards are dealt."""
        if self._table is None:
            seed_random(message["seed"])
            self._table = EnstaTable(self._deck, message["options"], ours=self._ours)

    def act(self, message: JsonObject) -> JsonObject:
        """Return the action of the seat in turn, asking again up to ``MAX_REFUSALS`` times."""
        table, observation = self._table, message["observation"]
        assert table is not None, "a turn before the start"  # noqa: S101 - the referee's order
        self.refused, self._same, self.refusal = 0, 0, ""
        for event in table.story.follow(observation["seat"], message["events"]):
            if event["type"] == "deal":
                self._begin(table)
        while not self._is_over:
            table.lay(observation)
            try:
                with table.masked():
                    move = self._agent.play()
            except _ENDS as error:
                self._end(error)
                break
            try:
                action = self._checked(table, move, message)
            except RefusedMove as refusal:
                table.note(move, accepted=False)
                self._refuse(f"{move[:20]!r}: {refusal}")
                if self._same == MAX_REFUSALS:
                    why = f"refused: {self.refusal} ({MAX_REFUSALS} times on end)"
                    return {"type": "refused", "why": why}
            else:
                table.note(move, accepted=True)
                return action
        return _idle(message["legal"])

    def _end(self, error: BaseException) -> None:
        """End the agent's part: the wire has no word for it, so cards are discarded from now on."""
        self._is_over = True
        print(
            f"play() raised {type(error).__name__}: as in the course, the game ends with its score."
            " Firebox discards the rest of the cards.",
            file=sys.stderr,
        )

    def _refuse(self, refusal: str) -> None:
        self._same = self._same + 1 if refusal == self.refusal else 1
        self.refused += 1
        self.refusal = refusal

    def _begin(self, table: EnstaTable) -> None:
        table.lay()
        self._agent = self._agent_class(table.game)
        with contextlib.suppress(AttributeError):  # a class may forbid it
            self._agent.quiet = True  # as the scripts that play the course's games do
        table.game.ai = self._agent

    def _checked(self, table: EnstaTable, move: object, message: JsonObject) -> JsonObject:
        """Return the action that a move means. Raises RefusedMove, and TypeError for no text."""
        observation = message["observation"]
        seat, coins = observation["seat"], table.coins(observation)
        try:
            action = read_move(move, table.names(), seat, table.slots(), table.letters)
        except LostCoin:
            table.lost_coins += coins > 0
            raise
        if action["type"] == "hint" and not coins:
            raise RefusedMove("there is no blue coin for a clue")
        if action in message["legal"]:
            return action
        if action["type"] == "discard":
            table.lost_coins = 0  # the referee has all coins, whatever the agent saw: it sees that
            raise RefusedMove("no card is discarded while all blue coins are there")
        raise RefusedMove("it touches no card" if action["type"] == "hint" else "it is not allowed")


def _idle(legal: Sequence[JsonObject]) -> JsonObject:
    kinds = ("discard", "hint", "play")
    return min(legal, key=lambda action: kinds.index(action["type"]))

"""The wire's messages, turned into calls of an agent's methods and back: no pipes, no JSON.

A seat keeps one ``GameState``, into which it works every event. ``inference`` is given that very
object: what the agent notes in ``infer`` stays there. ``getAction`` is given a copy, and what it
notes or tries out there is lost. Events come with a seat's own turns, so that is when ``inference``
is called, for one action after the other, each time with the state as it was right after that
action. Those after an agent's last turn come with the end of the game.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, Final, TypeAlias

from .parts import CHANCE, Action, AgentState, Card, Deck, GameStateData, Partial, Rule
from .simulator import GameState
from .util import Counter

JsonObject: TypeAlias = Mapping[str, Any]

_GAME: Final = "hanabi"
RULES: Final = {
    "misplay": "token",
    "five_returns_token": False,
    "discard_at_max": "allowed",
    "empty_hints": False,
    "last_round": "after_failed_draw",
    "draw_position": "end",
    "swaps": False,
}
"""Options that the simulator's types assume; numbers of cards and clues are in its ``rule``."""

_HINTED: Final = {"color": "colours", "number": "numbers"}
_VALUES: Final = 5
_COPIES: Final = (3, 2, 2, 2, 1)
"""Copies of each number in a colour."""
_FORMS: Final = (
    "('play', i), ('discard', i), ('color', player, colour) or ('number', player, number)"
)


class Cs221LocalSeat:
    """Drives an agent with messages of the wire; the agent's exceptions propagate.

    ``deck``, all cards in the order of the deal, is for agents that may see everything.
    """

    def __init__(self, make: Callable[[int], Any], deck: Sequence[str] | None = None) -> None:
        self._make = make
        self._deck = deck
        self._agent: Any = None
        self._state: GameState
        self._colors = ""
        self._next = 0

    def send(self, message: JsonObject) -> dict[str, Any] | None:
        """Handle one message, whatever its type; the reply, if it has one."""
        kind = message["type"]
        if kind == "start":
            self.start(message)
            return {"type": "ready"}
        self.follow(message["events"])
        if kind == "end":
            return None
        action = self._in_hand(self.to_wire(self._agent.getAction(self._state.deepCopy())))
        return {"type": "action", "turn": message["turn"], "action": action}

    def start(self, message: JsonObject) -> None:
        """Create the agent. Raises ValueError for rules that these agents do not play by."""
        options = message["options"]
        wrong = [name for name, value in RULES.items() if options[name] != value]
        if message["game"] != _GAME or wrong:
            raise ValueError("agents of this interface play Hanabi by the rules called cs221")
        self._colors = options["colors"]
        self._seat = message["seat"]
        self._rule = Rule(
            _VALUES, list(_COPIES), options["hand_size"], options["hint_tokens"], message["players"]
        )
        CHANCE.seed(message["seed"])
        self._agent = self._make(self._seat)
        if not hasattr(self._agent, "index"):
            self._agent.index = self._seat

    def follow(self, events: Sequence[JsonObject]) -> None:
        """Work events into the state, and tell the agent of each action."""
        for event, draw in _with_draws(events):
            if event["type"] == "deal":
                self._deal(event["hands"])
                self._call("registerInitialState", self._state)
            else:
                action = self._happened(event, draw)
                self._call("inference", self._state, event["seat"], action)

    def to_wire(self, action: Any) -> dict[str, Any]:
        """Return an answer in the wire's form. Raises TypeError if it is no action at all."""
        try:
            kind, first, *rest = action
            numbers = [index(position) for position in (first, *rest)]
        except (TypeError, ValueError):
            raise _no_action(action) from None
        if kind in {"play", "discard"} and len(numbers) == 1:
            return {"type": kind, "card": numbers[0]}
        if kind in _HINTED and len(numbers) == 2:
            to, value = numbers
            if not 0 <= value < _VALUES:  # in the agent's own numbers, not in the wire's
                why = f"getAction returned {_shown(action)}; {_HINTED[kind]} are 0 to {_VALUES - 1}"
                return {"type": "refused", "why": why}
            aspect = {"color": self._colors[value]} if kind == "color" else {"rank": value + 1}
            return {"type": "hint", "to": to, **aspect}
        raise _no_action(action)

    def _in_hand(self, action: dict[str, Any]) -> dict[str, Any]:
        """An action with the position that the simulator takes its number for.

        A negative number counts from the end. A hand that is a card short discards nothing at any
        number that is too high: the referee takes the first of them.
        """
        number, held = action.get("card", 0), len(self._state.data.agentState[self._seat].cards)
        if -held <= number < 0:
            return action | {"card": held + number}
        if action["type"] == "discard" and number > held < self._rule.numCard:
            return action | {"card": held}
        return action

    def _call(self, method: str, *arguments: Any) -> None:
        function = getattr(self._agent, method, None)
        if function is not None:
            function(*arguments)

    def _deal(self, hands: Sequence[Sequence[str] | None]) -> None:
        rule = self._rule
        every = range(rule.numColor), range(len(rule.numNumber))
        unseen = Counter({(c, n): rule.numNumber[n] for c in every[0] for n in every[1]})
        size = sum(unseen.values()) - rule.numCard * rule.numAgent
        states = [AgentState([self._see(card) for card in self._hand(cards)]) for cards in hands]
        unseen.subtract(card for state in states for card in state.cards if None not in card)
        data = GameStateData()
        data.deck, data.clue, data.agentState = Deck(unseen, size), rule.numClue, states
        self._state = GameState(rule, data, self._seat if self._deck is None else None)

    def _hand(self, cards: Sequence[str] | None) -> Sequence[str | None]:
        return (None,) * self._rule.numCard if cards is None else cards

    def _see(self, card: str | None) -> Partial:
        if card is None and self._deck is not None:
            card = self._deck[self._next]
        self._next += 1
        return (None, None) if card is None else self._read(card)

    def _read(self, card: str) -> Card:
        return self._colors.index(card[0]), int(card[1]) - 1

    def _happened(self, event: JsonObject, draw: JsonObject | None) -> Action:
        state, seat = self._state, event["seat"]
        action: Action
        if event["type"] == "hint":
            color = event.get("color")
            value = event["rank"] - 1 if color is None else self._colors.index(color)
            action = ("number" if color is None else "color", event["to"], value)
            state.clue(action, event["cards"])
            state.endTurn()
            return action
        action = (event["type"], event["index"])
        card = event["card"]
        state.lay(seat, action, None if card is None else self._read(card))
        if draw is not None:
            state.draw(seat, self._see(draw["card"]))
        state.endTurn(failed=draw is None)
        return action


def _with_draws(events: Sequence[JsonObject]) -> Iterator[tuple[JsonObject, JsonObject | None]]:
    for at, event in enumerate(events):
        if event["type"] != "draw":
            after = events[at + 1] if at + 1 < len(events) else None
            yield event, after if after is not None and after["type"] == "draw" else None


def _no_action(action: object) -> TypeError:
    return TypeError(
        f"getAction returned {_shown(action)}; an action is {_FORMS}, with whole numbers"
    )


def _shown(action: object) -> str:
    try:
        shown = repr(action)
    except Exception:  # noqa: BLE001 - whatever a student's code raises
        shown = "something that cannot be shown"
    return shown if len(shown) <= 100 else f"{shown[:99]}…"

"""A game's line protocol on the wire: messages to lines, hostile lines to actions. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.errors import RecordError
from grader.core.games.base import Game, JsonObject
from grader.core.games.lines import Each, Exchange, Line, Of
from grader.core.referee import END, START, Reply, referee
from grader.core.wire import WireError

_FIELD: Final = re.compile(r"\{(\w+)\}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_SHOWN_CHARACTERS: Final = 60


class Step(NamedTuple):
    """Lines to send, and what they are answered with."""

    sent: str
    answer: str = ""
    """The beginning of the line that is due; empty: none, unless it is a move."""
    asks_for_move: bool = False


class LineWire:
    """The lines to and from one seat."""

    def __init__(self, game: Game, turn_seconds: float) -> None:
        """Raises RecordError for a game that declares no lines."""
        if game.lines is None:
            raise RecordError(f"{game.title} declares no line protocol")
        self._game, self._lines = game, game.lines
        self._fields: dict[str, Any] = {**game.options, "turn_ms": int(turn_seconds * 1000)}
        self._seat = 0
        self._history: list[dict[str, Any]] = []
        """The fields of all actions so far."""
        self._answer: JsonObject | None = None
        """Its last action, if that is played."""

    def start(self, message: JsonObject) -> Iterator[Step]:
        """Yield the steps of a ``start`` message."""
        self._seat = message["seat"]
        self._fields["seat"] = self._lines.seats[self._seat]
        for exchange in self._lines.start:
            yield self._step(exchange, self._fields)

    def turn(self, message: JsonObject) -> Iterator[Step]:
        """Yield the steps of a ``turn`` message; the last asks for a move."""
        lines, moves = self._lines, self._moves(message["events"])
        if self._is_out_of_step(moves):
            yield from (self._step(each, self._fields) for each in lines.start if each.answer)
            moves = self._history
        if lines.told is not None:
            for move in moves:
                yield self._step(lines.told, {**self._fields, **move})
        asked = lines.turn
        if not moves:
            asked = lines.first or asked
        elif len(moves) > 1:
            asked = lines.missed or asked
        last = {**moves[-1], **self._fields} if moves else self._fields
        things = {Of.MOVES: moves, Of.LEGAL: self._legal(message), Of.ROWS: self._rows(message)}
        fields = {**last, "count": len(message["legal"])}
        yield Step(self._text(asked, fields, things), asks_for_move=True)

    def end(self) -> str:
        """Return the lines that end a game."""
        return self._text(self._lines.end, self._fields)

    def is_answer(self, line: bytes) -> bool:
        """Return whether a line is to be read; the others answer nothing."""
        text = _text(line)
        return bool(text) and not text.startswith(self._lines.ignored)

    def read(self, line: bytes, step: Step) -> dict[str, Any] | None:
        """Return the action in the answer to a step, if it asks for one. Raises WireError."""
        text = _text(line)
        if not step.asks_for_move:
            if text.lower().startswith(step.answer.lower()):
                return None
            raise WireError(f"a line that begins with {step.answer!r} was due, not {_shown(text)}")
        found = _pattern(self._lines.reply).fullmatch(text)
        if found is None:
            raise WireError(f"a line such as {self._lines.reply!r} was due, not {_shown(text)}")
        fields = found.groupdict()
        if (move := fields.pop("move", None)) is not None:
            action = dict(self._parsed(move))
        else:
            given = {name: _value(each) for name, each in fields.items()}
            action = {**self._lines.action, **given}
        self._answer = action
        return action

    def said(self, action: JsonObject) -> str:
        """Return the line with which a program chooses an action."""
        return self._lines.reply.format_map(self._of_action(action))

    def _parsed(self, move: str) -> JsonObject:
        for text in dict.fromkeys((move, move.lower(), move.upper())):
            try:
                return self._game.parse(text)
            except RecordError:
                continue
        raise WireError(f"{_shown(move)} is no move of {self._game.title}")

    def _moves(self, events: Sequence[JsonObject]) -> list[dict[str, Any]]:
        moves = [
            {
                **self._of_action(event),
                "seat": self._lines.seats[event["seat"]],
                "owner": 1 if event["seat"] == self._seat else 2,
            }
            for event in events
            if event.get("seat") is not None
        ]
        self._history += moves
        return moves

    def _is_out_of_step(self, moves: list[dict[str, Any]]) -> bool:
        """Remove the program's own last action, which it knows. True if another one was played.

        That is so in a game which is continued: its actions are given, whatever a program that is
        started again answers. It must then hear the whole game.
        """
        own = next((move for move in moves if move["owner"] == 1), None)
        if self._answer is None or own is None:
            return False
        moves.remove(own)
        return any(own.get(name) != value for name, value in self._answer.items())

    def _legal(self, message: JsonObject) -> list[dict[str, Any]]:
        return [self._of_action(action) for action in message["legal"]]

    def _rows(self, message: JsonObject) -> list[dict[str, Any]]:
        view = self._game.view
        rows = [] if view is None else view.rows(message["observation"])
        return [{"row": "".join(letter or "." for letter in row)} for row in rows]

    def _of_action(self, action: JsonObject) -> dict[str, Any]:
        return {**action, "move": self._game.notate(action)}

    def _step(self, exchange: Exchange, fields: Mapping[str, Any]) -> Step:
        return Step(self._text(exchange.lines, fields), exchange.answer)

    def _text(
        self,
        lines: Sequence[Line],
        fields: Mapping[str, Any],
        things: Mapping[Of, Sequence[Mapping[str, Any]]] | None = None,
    ) -> str:
        texts = []
        for line in lines:
            if isinstance(line, Each):
                each = (things or {})[line.of]
                texts += [line.line.format_map({**fields, **thing}) for thing in each]
            else:
                texts.append(line.format_map(fields))
        return "".join(f"{text}\n" for text in texts)


def transcript(game: Game, turns: int = 3) -> str:
    """Return the lines of a practice game as seat 0 sees them, its replies behind ``<``.

    Everybody takes the first legal action. After ``turns`` turns the game is left.
    """
    wire, play = LineWire(game, 1.0), referee(game, deal_seed(PRACTICE_SECRET, 0))
    said: list[str] = []
    turn, left = next(play), turns
    while left and turn.kind is not END:
        action = None if turn.kind is START else turn.message["legal"][0]
        steps = wire.start if turn.kind is START else wire.turn
        for step in steps(turn.message) if turn.seat == 0 else ():
            said += [f"> {line}" for line in step.sent.splitlines()]
            if step.answer:
                said.append(f"< {step.answer}")
            if step.asks_for_move and action is not None:
                reply = wire.said(action)
                said.append(f"< {reply}")
                wire.read(reply.encode(), step)
                left -= 1
        turn = play.send(Reply(action, 0))
    said += [f"> {line}" for line in ["…", *wire.end().splitlines()]]
    return "\n".join(said) + "\n"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = _FIELD.split(template)
    parts[::2] = map(_fixed, parts[::2])
    parts[1::2] = [rf"(?P<{name}>[^\s,;]+)" for name in parts[1::2]]
    return re.compile("".join(parts), re.IGNORECASE)


def _fixed(part: str) -> str:
    words = [re.escape(word) for word in part.split()]
    return "".join([r"\s*", r"\s*".join(words), r"\s*"]) if words else r"\s+" if part else ""


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace").strip()


def _value(text: str) -> int | str:
    return int(text) if _NUMBER.fullmatch(text) else text


def _shown(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…")

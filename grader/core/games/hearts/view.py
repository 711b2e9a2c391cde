"""A play of Hearts as the viewer draws it.

A complete trick stays on the table until the next card is played, and the last one of a hand until
the next hand is dealt, which has a scene of its own. Besides what all games have
(``grader.core.games.scenes``) a scene of Hearts has:

``part``      the number of the hand, from 1
``passing``   where cards are passed in this hand; ``phase``: ``pass`` or ``play``
``passes``    the number of cards that each seat passes
``number``    the number of the trick, from 1
``trick``     ``[seat, card]`` in the order of play
``winner``    who takes it, once it is complete, and ``cost``: the points that it costs them
``costs``     the points of each card that costs any
``points``    of this hand, by seat: of the cards taken, and at its end what it cost
``totals``    of all hands that are over
``over``      true if the hand is over; ``moon``: the seat that took every point, if one did
``hand0`` …, ``passed0`` …, ``received0`` …, ``cost0`` …: of each seat its cards, what it passed and
received in this hand, and which cards that cost points it has taken, as ``C2 SQ``

and its ``move`` ``type`` and ``card``, of a pass also ``to``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from grader.core.games.base import JsonObject
from grader.core.games.hearts.cards import PASSED_CARDS, POINTS, SUIT_WORDS
from grader.core.games.hearts.endings import ENDING_WORDS
from grader.core.games.hearts.rules import HeartsState
from grader.core.games.scenes import Mark, Tone, sentence, with_symbols
from grader.core.words import counted, seat_words

_COSTS: Final = {card: points for card, points in POINTS.items() if points}
_LETTERS: Final = {word: letter for letter, word in SUIT_WORDS.items()}
_CARD: Final = re.compile(rf"((?:\w+) of (?:{'|'.join(_LETTERS)}))")


def scenes(
    state: HeartsState, actions: Iterable[JsonObject], seat: int | None = None
) -> Iterator[JsonObject]:
    """Show the table at each deal and after each action, which is applied to ``state``.

    With a ``seat``, as that seat sees it: of a hidden card there is a ``?``, and what others pass
    and receive is left out.
    """
    for scene in _open_scenes(state, actions):
        yield scene if seat is None else veiled(scene, seat)


def _open_scenes(state: HeartsState, actions: Iterable[JsonObject]) -> Iterator[dict[str, Any]]:
    before = _shown(state)
    yield _dealt(before, state)
    for action in actions:
        words, told, seat = state.describe(action), len(state.events(0)), before["to_act"]
        state.apply(action)
        after = _after(before, state, action, state.events(0)[told:])
        move = {key: value for key, value in action.items() if key in {"type", "card"}}
        done = _done(seat, _said(words, after), _brief(words, seat), move)
        yield after | done | _consequence(after, state)
        before = after
        if after["over"] and not state.ending:
            before = _shown(state)
            yield _dealt(before, state)


def _dealt(table: dict[str, Any], state: HeartsState) -> dict[str, Any]:
    return table | _done(None, ["the deal"], ["deal"], None) | _consequence(table, state)


# --- The table --------------------------------------------------------------------------------


def _shown(state: HeartsState) -> dict[str, Any]:
    seats = range(len(state.scores()))
    seen = [state.observe(seat) for seat in seats]
    table = seen[0]
    return {
        "to_act": table["to_act"],
        "scores": list(state.scores()),
        "part": table["hand_number"] + 1,
        "passing": table["passing"],
        "passes": PASSED_CARDS,
        "phase": table["phase"],
        "number": table["tricks_played"] + 1,
        "trick": [[play["seat"], play["card"]] for play in table["trick"]],
        "winner": None,
        "cost": 0,
        "costs": _COSTS,
        "points": list(table["points"]),
        "totals": list(table["totals"]),
        "over": False,
        "moon": None,
        **{f"hand{seat}": " ".join(seen[seat]["hand"]) for seat in seats},
        **{f"passed{seat}": " ".join(seen[seat]["passed"]) for seat in seats},
        **{f"received{seat}": " ".join(seen[seat]["received"]) for seat in seats},
        **{f"cost{seat}": _costly(table["taken"][seat]) for seat in seats},
    }


def _costly(cards: Sequence[str]) -> str:
    return " ".join(card for card in cards if POINTS[card])


def _after(
    before: JsonObject, state: HeartsState, action: JsonObject, told: Sequence[JsonObject]
) -> dict[str, Any]:
    events = {event["type"]: event for event in told}
    if "trick" not in events:
        return _shown(state)
    winner = events["trick"]["winner"]
    earlier = [] if before["winner"] is not None else before["trick"]
    trick = [*earlier, [before["to_act"], action["card"]]]
    cost = events["trick"]["points"]
    kept = {"trick": trick, "winner": winner, "cost": cost, "number": before["number"]}
    if "hand" not in events:
        return _shown(state) | kept
    taken = f"{before[f'cost{winner}']} {_costly([card for _, card in trick])}".strip()
    ended = {
        "to_act": state.seat_to_act,
        "scores": list(state.scores()),
        "points": list(events["hand"]["points"]),
        "totals": list(events["hand"]["totals"]),
        "over": True,
        "moon": events["hand"]["moon"],
        f"hand{before['to_act']}": "",
        f"cost{winner}": taken,
    }
    return {**before, **kept, **ended}


def veiled(scene: dict[str, Any], viewer: int) -> dict[str, Any]:
    """The part of a scene that one seat may know."""
    hidden: dict[str, Any] = {}
    for seat in range(len(scene["scores"])):
        if seat != viewer:
            cards = scene[f"hand{seat}"].split()
            hidden[f"hand{seat}"] = " ".join("?" * len(cards))
            hidden[f"passed{seat}"] = hidden[f"received{seat}"] = ""
    if (scene["move"] or {}).get("type") == "pass" and scene["seat"] != viewer:
        words = f"{seat_words(scene['seat'])} passes a card"
        hidden |= {"said": sentence([words]), "brief": ["passes a card"]}
        hidden["move"] = {"type": "pass", "card": None}
    return scene | hidden


# --- What was done ----------------------------------------------------------------------------


def _done(
    seat: int | None, said: Sequence[Any], brief: Sequence[Any], move: object
) -> dict[str, Any]:
    return {"seat": seat, "said": sentence(said), "brief": brief, "move": move}


def _said(words: str, after: JsonObject) -> list[Any]:
    parts = _with_suits(words)
    if after["winner"] is None:
        return parts
    return [*parts, f". {seat_words(after['winner']).capitalize()} takes it"]


def _brief(words: str, seat: int) -> list[Any]:
    return _with_suits(words.removeprefix(f"{seat_words(seat)} ").replace(" the ", " "))


def _with_suits(words: str) -> list[Any]:
    return with_symbols(words, _CARD, lambda name: _LETTERS[name.rsplit(" ", 1)[1]])


def _consequence(after: JsonObject, state: HeartsState) -> dict[str, Any]:
    points = after["cost"]
    effects = [f"+{counted(points, 'point')}"] if points else []
    if after["over"]:
        effects.append(f"hand {after['part']} is over")
        if after["moon"] is not None:
            effects.append(f"{seat_words(after['moon'])} took every point")
        if state.ending:
            effects.append(ENDING_WORDS[state.ending])
    mark, tone = (Mark.LOSS, Tone.BAD) if points else (Mark.NONE, Tone.PLAIN)
    return {"effect": ", ".join(effects), "tone": tone, "mark": mark}

"""A play of Hanabi for hanab.live: its JSON, game format 3, and a link that carries it.

The format is described by its authors in ``misc/example_game_with_comments.jsonc`` of
Hanabi-Live/hanabi-live. Cards are dealt there as here, seat by seat, and named by their place in
the deck. Suits are red, yellow, green, blue and purple there: white is sent as purple.

The link holds the number of seats, the lowest and the highest rank and a letter a card; the lowest
and the highest type of an action and two letters an action (what it is, with its value; whom or
what it is for); and the number of the variant.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.options import HanabiOptions
from grader.core.games.hanabi.rules import HanabiState
from grader.core.games.presentation import Elsewhere

_SITE: Final = "hanab.live"
_NOTE: Final = "White is shown as purple there."
_NO_LINK: Final = "A link cannot carry a hint that touches no card."
_PLAYERS: Final = ("Alice", "Bob", "Cathy", "Donald", "Emily")
_SUITS: Final = {"R": 0, "Y": 1, "G": 2, "B": 3, "W": 4}
_TYPES: Final = {"play": 0, "discard": 1}
_COLOR_HINT: Final = 2
_RANK_HINT: Final = 3
_LINK: Final = "https://hanab.live/shared-replay-json/"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NO_VARIANT: Final = 0
_PIECE: Final = 20
"""Letters of a link between two hyphens, so that it can be broken into lines."""

Action = Mapping[str, int]


def on_hanab_live(
    rules: HanabiOptions, deck: Sequence[str], actions: Iterable[JsonObject]
) -> Elsewhere:
    """Return legal actions of a deck's play as hanab.live reads them, or why it cannot."""
    refusal = _unknown_rules(rules)
    state, sent, empty_hints = HanabiState(rules, deck), [], False
    for action in actions if not refusal else ():
        refusal = _unknown_action(rules, state, action)
        if refusal:
            break
        sent.append(_action_of(state, action))
        state.apply(action)
        empty_hints = empty_hints or state.events(0)[-1].get("cards") == ()
    if not sent and not refusal:
        refusal = "No action was taken in this game."
    if refusal:
        return Elsewhere(site=_SITE, refusal=refusal)
    file = _file(rules, deck, sent, empty_hints=empty_hints)
    if empty_hints:
        return Elsewhere(site=_SITE, file=file, why_no_link=_NO_LINK, note=_NOTE)
    return Elsewhere(site=_SITE, file=file, link=_link(rules.players, deck, sent), note=_NOTE)


# --- What hanab.live does not have ------------------------------------------------------------


def _unknown_rules(rules: HanabiOptions) -> str:
    default_hand = 5 if rules.players <= 3 else 4
    known = {
        f"with {rules.hint_tokens} hint tokens": rules.hint_tokens == 8,
        "in which a misplay costs a hint token": rules.misplay == "strike",
        f"with {rules.lives} lives": rules.lives == 3,
        "in which a completed colour returns no hint token": rules.five_returns_token,
        f"of {rules.players} seats with hands of {rules.hand_size}": rules.hand_size
        == default_hand,
        "whose last round begins with a failed draw": rules.last_round == "after_last_draw",
    }
    unknown = [what for what, is_known in known.items() if not is_known]
    return f"{_SITE} has no game {unknown[0]}." if unknown else ""


def _unknown_action(rules: HanabiOptions, state: HanabiState, action: JsonObject) -> str:
    if action["type"] == "swap":
        return f"Cards were swapped in turn {state.turn}, and {_SITE} has no swaps."
    if action["type"] == "discard" and state.table().tokens == rules.hint_tokens:
        return (
            f"A card was discarded in turn {state.turn} while all hint tokens were there,"
            f" which {_SITE} does not allow."
        )
    return ""


# --- The file ---------------------------------------------------------------------------------


def _action_of(state: HanabiState, action: JsonObject) -> Action:
    kind = action["type"]
    if kind in _TYPES:
        table = state.table()
        number = table.numbers[table.seat][action["card"]]
        assert number is not None  # noqa: S101 - a legal action is about a card that is there
        return {"type": _TYPES[kind], "target": number}
    if action.get("color") is not None:
        value = _SUITS[action["color"]]
        return {"type": _COLOR_HINT, "target": action["to"], "value": value}
    return {"type": _RANK_HINT, "target": action["to"], "value": action["rank"]}


def _file(
    rules: HanabiOptions, deck: Sequence[str], actions: Sequence[Action], *, empty_hints: bool
) -> dict[str, Any]:
    return {
        "players": list(_PLAYERS[: rules.players]),
        "deck": [{"suitIndex": _SUITS[card[0]], "rank": int(card[1])} for card in deck],
        "actions": [dict(action) for action in actions],
        "options": {"variant": "No Variant", **({"emptyClues": True} if empty_hints else {})},
    }


# --- The link ---------------------------------------------------------------------------------


def _link(players: int, deck: Sequence[str], actions: Sequence[Action]) -> str:
    cards = "".join(_LETTERS[_SUITS[card[0]] * 5 + int(card[1]) - 1] for card in deck)
    types = [action["type"] for action in actions]
    lowest, highest = min(types), max(types)
    moves = "".join(_letters(action, lowest, highest) for action in actions)
    text = f"{players}15{cards},{lowest}{highest}{moves},{_NO_VARIANT}"
    pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
    return _LINK + "-".join(pieces)


def _letters(action: Action, lowest: int, highest: int) -> str:
    """The two letters of an action. Its value counts from 1; 0 means that it has none."""
    value = action["value"] + 1 if "value" in action else 0
    first = value * (highest - lowest + 1) + action["type"] - lowest
    return _LETTERS[first] + _LETTERS[action["target"]]

"""Lookup tables from which Hanabi's state is put together; made once per set of options."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

from grader.core.errors import IllegalAction
from grader.core.games.base import JsonObject
from grader.core.games.checks import shown
from grader.core.games.hanabi.options import HanabiOptions

RANKS: Final = "12345"
NO_COLOR: Final = "-"
"""In a hint: a colour that no card has."""
VOID_RANKS: Final = (*range(-99, 1), *range(6, 100))
"""Ranks that no card has. Where a hint need not touch a card, it may name them, as in the course's
framework, in which students name them to pass."""
NO_HINT: Final = 10
"""The number of a hint that names what no card has."""


class CardKnowledge:
    """Common knowledge from hints about one card: one of 1296 interned nodes.

    The hints are numbered 0 to 4 for the colours in option order and 5 to 9 for the ranks.
    ``hit[hint]`` is the knowledge after such a hint touched the card, ``miss[hint]`` after it
    touched other cards of that hand.
    """

    __slots__ = ("hit", "miss", "shown")

    def __init__(self, shown: JsonObject | None) -> None:
        self.shown = shown
        """As observations have it; ``None`` for a slot without a card."""
        self.hit: tuple[CardKnowledge, ...] = (self,) * 10
        self.miss: tuple[CardKnowledge, ...] = (self,) * 10


NO_CARD: Final = CardKnowledge(None)
"""In the place of a card's knowledge where a slot is empty; no hint changes it."""


def after_hint(
    symbol: str, number: int, cards: Sequence[str | None], known: Sequence[CardKnowledge]
) -> tuple[tuple[int, ...], tuple[CardKnowledge, ...]]:
    """Return the places of the cards that a hint touches, and the knowledge about the hand."""
    if number == NO_HINT:
        return (), tuple(known)
    touched: list[int] = []
    after: list[CardKnowledge] = []
    for card, node in zip(cards, known, strict=True):
        if card and symbol in card:
            touched.append(len(after))
            after.append(node.hit[number])
        else:
            after.append(node.miss[number])
    return tuple(touched), tuple(after)


@cache
def no_knowledge(colors: str) -> CardKnowledge:
    """The knowledge about a card just drawn, from which hints lead to all the rest."""
    hues, ranks = _halves(colors), _halves(RANKS)
    nodes = [[CardKnowledge(_shown(hue, rank)) for rank in ranks] for hue in hues]
    for h, hue in enumerate(hues):
        for r, rank in enumerate(ranks):
            by_color = [(nodes[hit][r], nodes[miss][r]) for hit, miss in hue[2]]
            by_rank = [(nodes[h][hit], nodes[h][miss]) for hit, miss in rank[2]]
            nodes[h][r].hit, nodes[h][r].miss = zip(*by_color, *by_rank, strict=True)
    return nodes[-1][-1]


_Half = tuple[str | None, str, list[tuple[int, int]]]


def _halves(symbols: str) -> list[_Half]:
    """The 36 things one can know of a card's colour (or rank), the least last.

    Each is what was positively hinted, what is still possible, and for every symbol the positions
    in this list after a hint of it that touched the card, and after one that did not.
    """
    sets = ["".join(s for i, s in enumerate(symbols) if bits >> i & 1) for bits in range(1, 32)]
    told = [(s, s, [(hit, at) for hit in range(5)]) for at, s in enumerate(symbols)]
    untold = []
    for possible in sets:
        # Nothing can rule out the last possibility: stay.
        left = [possible.replace(symbol, "") or possible for symbol in symbols]
        untold.append((None, possible, [(hit, 5 + sets.index(s)) for hit, s in enumerate(left)]))
    return [*told, *untold]


def _shown(hue: _Half, rank: _Half) -> JsonObject:
    return {
        "color": hue[0],
        "rank": None if rank[0] is None else int(rank[0]),
        "colors": hue[1],
        "ranks": rank[1],
    }


class Tables:
    """All actions of one set of options, each a single dict that every list of them shares."""

    def __init__(self, rules: HanabiOptions) -> None:
        self._empty_hints = rules.empty_hints
        self._colors = (*rules.colors, NO_COLOR) if rules.empty_hints else tuple(rules.colors)
        self._ranks = range(-99, 100) if rules.empty_hints else range(1, 6)
        self.card_bits: Mapping[str, int] = {
            c + r: 1 << at | 32 << (int(r) - 1) for at, c in enumerate(rules.colors) for r in RANKS
        }
        """Card to the set of hints that touch it, bit ``i`` being hint ``i``."""
        self.hint_number: Mapping[str, int] = {s: i for i, s in enumerate(rules.colors + RANKS)}
        seats, size = range(rules.players), range(rules.hand_size)
        self.plays = tuple({"type": "play", "card": i} for i in size)
        self.discards = tuple({"type": "discard", "card": i} for i in size)
        self.swaps = {
            (i, j): {"type": "swap", "first": i, "second": j} for i, j in product(size, repeat=2)
        }
        self.hints = tuple(
            tuple({"type": "hint", "to": to, "color": c} for c in rules.colors)
            + tuple({"type": "hint", "to": to, "rank": int(r)} for r in RANKS)
            for to in seats
        )
        self.others = [[*seats[seat + 1 :], *seats[:seat]] for seat in seats]
        """In order of play, the seats that each seat may hint."""
        self.void_hints = tuple(self._void_hints_of(seat) for seat in seats)
        """By seat, the hints of what no card has; none where a hint must touch a card."""
        self._swaps_allowed = rules.swaps
        self._hints_by_bits: dict[tuple[int, int], tuple[JsonObject, ...]] = {}
        self._moves_by_slots: dict[tuple[int, ...], Moves] = {}
        self.by_notation: Mapping[str, JsonObject] = self._notations()

    def _void_hints_of(self, seat: int) -> tuple[JsonObject, ...]:
        if not self._empty_hints:
            return ()
        others = self.others[seat]
        ranks = [{"type": "hint", "to": to, "rank": rank} for to in others for rank in VOID_RANKS]
        colors = [{"type": "hint", "to": to, "color": NO_COLOR} for to in others]
        return (*ranks, *colors)

    def aim(self, seat: int, action: JsonObject) -> tuple[int, str]:
        """Return whom a hint of this seat is for, and the colour letter or rank that it names.

        Raises IllegalAction.
        """
        to, color, rank = action.get("to"), action.get("color"), action.get("rank")
        if type(to) is not int or to not in self.others[seat]:
            allowed = ", ".join(map(str, sorted(self.others[seat])))
            raise IllegalAction(f"to is {shown(to)}; allowed: {allowed}")
        if (color is None) is (rank is None):
            raise IllegalAction("a hint names either a color or a rank")
        if rank is None:
            if type(color) is str and color in self._colors:
                return to, color
            allowed = ", ".join(filter(NO_COLOR.__ne__, self._colors))
            raise IllegalAction(f"color is {shown(color)}; allowed: {allowed}")
        if type(rank) is int and rank in self._ranks:
            return to, str(rank)
        raise IllegalAction(f"rank is {shown(rank)}; allowed: 1 to 5")

    def _notations(self) -> dict[str, JsonObject]:
        actions: list[JsonObject] = [*self.plays, *self.discards]
        actions += [hint for hints in self.hints for hint in hints]
        actions += [hint for hints in self.void_hints for hint in hints]
        actions += self.swaps.values() if self._swaps_allowed else ()
        return {notation(action): action for action in actions}

    def hints_to(self, seat: int, cards: Sequence[str | None]) -> tuple[JsonObject, ...]:
        """The hints that these cards in the hand of ``seat`` allow, as one shared tuple."""
        bits = 0
        for card in cards:
            if card is not None:
                bits |= self.card_bits[card]
        hints = self._hints_by_bits.get((seat, bits))
        if hints is None:
            every = enumerate(self.hints[seat])
            hints = tuple(hint for i, hint in every if bits >> i & 1 or self._empty_hints)
            self._hints_by_bits[seat, bits] = hints
        return hints

    def odd_swaps(self, slots: Sequence[int]) -> tuple[JsonObject, ...]:
        """Return the swaps that change nothing, or say the larger index first."""
        return tuple(self.swaps[i, j] for i, j in product(slots, repeat=2) if i >= j)

    def moves(self, slots: tuple[int, ...]) -> "Moves":
        """Return the actions of a seat on its own hand, cards being in ``slots``."""
        moves = self._moves_by_slots.get(slots)
        if moves is None:
            moves = Moves(
                tuple(self.plays[i] for i in slots),
                tuple(self.discards[i] for i in slots),
                tuple(self.swaps[pair] for pair in combinations(slots, 2)),
            )
            self._moves_by_slots[slots] = moves
        return moves


class Moves(NamedTuple):
    """Actions on one's own hand, by index."""

    plays: tuple[JsonObject, ...]
    discards: tuple[JsonObject, ...]
    swaps: tuple[JsonObject, ...]


@cache
def tables(rules: HanabiOptions) -> Tables:
    """The tables of these options; made once per process."""
    return Tables(rules)


def notation(action: JsonObject) -> str:
    """``p0``, ``d3``, ``h1R``, ``h13``, ``s02``: type, then seat, then card, colour or rank."""
    kind = action["type"]
    if kind == "hint":
        color = action.get("color")
        return f"h{action['to']}{action['rank'] if color is None else color}"
    if kind == "swap":
        return f"s{action['first']}{action['second']}"
    return f"{kind[0]}{action['card']}"

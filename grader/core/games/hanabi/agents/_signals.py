"""A hint as a number: which player is hinted, how, and whether it touches a certain card of theirs.

What the number says is agreed otherwise; what a hint says by the rules is a by-product. Numbers run
from 0 to below a modulus that everybody knows, for it follows from what everybody knows.
"""

from collections.abc import Sequence

from firebox.hanabi import Action, Hint, Hinted

from ._knowledge import ALL, OF_COLOR, OF_RANK
from ._public import PublicTable


def number_of(public: PublicTable, hint: Hinted) -> tuple[int, int]:
    """Return the number that a hint encodes, and the modulus, in the state before the hint."""
    number = modulus = 0
    for seat in public.others_after(hint.seat):
        ways = _ways(public, seat)
        if seat == hint.to:
            touches = _marked(public, seat) in hint.positions
            kind = (0 if touches else 2) + (hint.color is not None)
            number = modulus + min(kind, ways - 1)
        modulus += ways
    return number, modulus


def modulus_of(public: PublicTable, speaker: int) -> int:
    """Count the numbers that a seat can choose from; 0 if it can give no hint."""
    return sum(_ways(public, seat) for seat in public.others_after(speaker))


def hints_for(
    public: PublicTable, speaker: int, number: int, legal: Sequence[Action]
) -> list[Hint]:
    """Return the legal hints that encode a number below ``modulus_of``."""
    seat, kind = -1, number
    for seat in public.others_after(speaker):
        if kind < (ways := _ways(public, seat)):
            break
        kind -= ways
    marked = public.hands[seat].faces[_marked(public, seat)]
    return [
        action
        for action in legal
        if isinstance(action, Hint)
        and action.to == seat
        and min(_kind(action, marked), ways - 1) == kind
    ]


def _marked(public: PublicTable, seat: int) -> int:
    """The position of a hand that hints touch or don't touch: the one least known."""
    masks, useless = public.possible(seat), public.table.useless
    return max(range(len(masks)), key=lambda at: (_openness(masks[at], useless), -at))


def _ways(public: PublicTable, seat: int) -> int:
    """Count the hints with different meanings that can certainly be given to a seat."""
    masks = [mask for mask in public.possible(seat) if mask]
    if not masks:
        return 0
    if public.empty_hints:
        return 4
    ranks = colors = ALL
    for mask in masks:
        ranks &= _ranks(mask)
        colors &= _colors(mask)
    if not ranks and not colors:
        return 4
    return 3 if len(masks) > 3 else 2


def _openness(mask: int, useless: int) -> int:
    if not mask & (mask - 1) or not mask & ~useless:
        return 1 if mask else 0
    colors, ranks = _colors(mask), _ranks(mask)
    return 2 + (colors.bit_count() > 1) + (ranks.bit_count() > 1)


def _ranks(mask: int) -> int:
    return (mask | mask >> 5 | mask >> 10 | mask >> 15 | mask >> 20) & OF_COLOR["R"]


def _colors(mask: int) -> int:
    return (mask | mask >> 1 | mask >> 2 | mask >> 3 | mask >> 4) & OF_RANK[1]


def _kind(hint: Hint, marked: int) -> int:
    """0 and 1: the hint touches the marked card, by rank or colour; 2 and 3: it doesn't."""
    if hint.color is not None:
        return 1 if marked & OF_COLOR[hint.color] else 3
    return 0 if marked & OF_RANK[hint.rank or 0] else 2

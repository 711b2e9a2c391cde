"""Hat guessing: one number tells every player something about a hand that only they don't see.

The speaker answers, for each listener, questions about that listener's hand; the answers, written
as one number to a common modulus, are added up, and the sum is announced. Each listener sees all
the other hands, subtracts the others' numbers, and is left with the answers about the own hand.
After C. Cox, J. De Silva, P. Deorsey, F. Kenter, T. Retter, J. Tobin, *How to Make the Perfect
Fireworks Display* (Mathematics Magazine 88, 2015); asking adaptively, most useful question first,
in mixed radix, is the idea of J. Wu's and F. Bauckholt's information strategy.

The questions depend only on what everybody knows, the answers so far included. So the speaker and
the listeners ask the same ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ._knowledge import CardTable, members


@dataclass(frozen=True, slots=True)
class First:
    """The first of these (position, set of cards) that holds; 0 if none does."""

    tests: Sequence[tuple[int, int]]

    @property
    def size(self) -> int:
        """Number of possible answers."""
        return len(self.tests) + 1

    def answer(self, faces: Sequence[int]) -> int:
        """The answer for a hand with these faces."""
        for number, (at, bits) in enumerate(self.tests, 1):
            if faces[at] & bits:
                return number
        return 0

    def learn(self, masks: list[int], answer: int) -> None:
        """Narrow down what is possible to what fits the answer."""
        for number, (at, bits) in enumerate(self.tests, 1):
            if number == answer:
                masks[at] &= bits
                return
            masks[at] &= ~bits


@dataclass(frozen=True, slots=True)
class Which:
    """In which of these sets is the card at a position?"""

    position: int
    cells: Sequence[int]

    @property
    def size(self) -> int:
        """Number of possible answers."""
        return len(self.cells)

    def answer(self, faces: Sequence[int]) -> int:
        """The answer for a hand with these faces."""
        face = faces[self.position]
        return next((number for number, bits in enumerate(self.cells) if bits & face), 0)

    def learn(self, masks: list[int], answer: int) -> None:
        """Narrow down what is possible to what fits the answer."""
        masks[self.position] &= self.cells[answer]


Question: TypeAlias = First | Which


def next_question(masks: Sequence[int], table: CardTable, most: int) -> Question | None:
    """Return the best question of a hand's holder, with at most ``most`` answers (2 or more)."""
    count = table.left.count
    open_cards: list[tuple[int, float, float]] = []
    knows_playable = knows_useless = False
    for at, mask in enumerate(masks):
        if not mask:
            continue
        total = count(mask)
        fits = count(mask & table.playable) / total
        dead = count(mask & table.useless) / total
        knows_playable = knows_playable or fits == 1.0
        if dead == 1.0:
            knows_useless = True
        elif mask & (mask - 1):
            open_cards.append((at, fits, dead))
    if not knows_playable:
        question = _first_step(open_cards, table, most, ask_useless=not knows_useless)
        if question is not None:
            return question
    return _refinement(open_cards, masks, table, most)


def _first_step(
    cards: Sequence[tuple[int, float, float]], table: CardTable, most: int, *, ask_useless: bool
) -> Question | None:
    likely = [(False, fits, at) for at, fits, _ in cards if fits]
    if ask_useless:
        likely += [(True, dead, at) for at, _, dead in cards if dead]
    if not likely:
        return None
    # The likeliest ones if there are too many; of these the least likely first: a positive answer
    # then tells the most about the cards before it.
    likely.sort(key=lambda one: (one[0], -one[1]))
    chosen = sorted(likely[: most - 1], key=lambda one: (one[0], one[1]))
    tests = [(at, table.useless if useless else table.playable) for useless, _, at in chosen]
    return First(tests)


def _refinement(
    cards: Sequence[tuple[int, float, float]], masks: Sequence[int], table: CardTable, most: int
) -> Question | None:
    doubtful = [(abs(fits - 0.7), at) for at, fits, _ in cards if abs(fits - 0.7) < 0.2]
    if doubtful:
        return First([(min(doubtful)[1], table.playable)])
    if not cards:
        return None
    at = min(cards, key=lambda card: (card[2], card[0]))[0]
    return Which(at, _cells(masks[at], table, most))


def _cells(mask: int, table: CardTable, most: int) -> list[int]:
    useless = mask & table.useless
    parts = [0] * (most - bool(useless))
    for number, bit in enumerate(members(mask & ~useless)):
        parts[number % len(parts)] |= bit
    return [part for part in [*parts, useless] if part]


def encode(masks: list[int], faces: Sequence[int], table: CardTable, modulus: int) -> int:
    """The number below ``modulus`` that answers the questions about a hand; ``masks`` learn it."""
    value, radix = 0, 1
    while (most := (modulus - value - 1) // radix + 1) > 1:
        question = next_question(masks, table, most)
        if question is None:
            break
        answer = question.answer(faces)
        question.learn(masks, answer)
        value += radix * answer
        radix = min(modulus, radix * question.size)
    return value


def decode(masks: list[int], value: int, table: CardTable, modulus: int) -> None:
    """Let ``masks`` learn from the number that ``encode`` gave."""
    while modulus > 1:
        question = next_question(masks, table, modulus)
        if question is None:
            break
        size = question.size
        answer = value % size
        question.learn(masks, answer)
        modulus = (modulus - answer - 1) // size + 1
        value //= size

"""What the rule players share: which card is safe, who may hold what, and what to pass."""

from collections.abc import Iterable, Sequence

from firebox.hearts import QUEEN_OF_SPADES, SUITS, Card, Observation

QUEEN_RANK = 12


def highest(cards: Iterable[Card]) -> Card:
    """The highest; of equal ranks the one of the later suit."""
    return max(cards, key=lambda card: (card.rank, card.suit))


def lowest(cards: Iterable[Card]) -> Card:
    """The lowest; of equal ranks the one of the earlier suit."""
    return min(cards, key=lambda card: (card.rank, card.suit))


def of_suit(cards: Iterable[Card], suit: str) -> list[Card]:
    """The cards of a suit, in their order."""
    return [card for card in cards if card.suit == suit]


def pass_danger(card: Card, hand: Sequence[Card]) -> tuple[float, int]:
    """How gladly a card is passed on: high spades without company, high hearts, short suits."""
    suit = of_suit(hand, card.suit)
    if card.suit == "S":
        guarded = len([each for each in suit if each.rank < QUEEN_RANK]) >= 4
        if card.rank < QUEEN_RANK or guarded:
            return 0.0, card.rank
        return (30.0 if card == QUEEN_OF_SPADES else 25.0), card.rank
    low = sum(each.rank <= 5 for each in suit)
    if card.suit == "H":
        return card.rank - 2.5 * low, card.rank
    return card.rank - 3.0 * low + 3.0 * (len(suit) <= 3), card.rank


def to_pass(observation: Observation) -> Card:
    """The card of the hand that is passed on most gladly."""
    hand = observation.hand
    return max(hand, key=lambda card: pass_danger(card, hand))


def queen_is_out(observation: Observation) -> bool:
    """Whether somebody else holds the queen of spades."""
    return QUEEN_OF_SPADES in observation.unseen()


def trick_points(observation: Observation) -> int:
    """What the trick costs as it lies."""
    return sum(each.card.points for each in observation.trick)


def is_last(observation: Observation) -> bool:
    """Whether nobody plays to the trick any more."""
    return len(observation.trick) == observation.players - 1


def higher_out(card: Card, unseen: Iterable[Card]) -> int:
    """How many cards that others hold beat it, if its suit is led."""
    return sum(each.suit == card.suit and each.rank > card.rank for each in unseen)


def lower_out(card: Card, unseen: Iterable[Card]) -> int:
    """How many cards that others hold it beats."""
    return sum(each.suit == card.suit and each.rank < card.rank for each in unseen)


def length(cards: Iterable[Card]) -> dict[str, int]:
    """How many cards of each suit there are."""
    counts = dict.fromkeys(SUITS, 0)
    for card in cards:
        counts[card.suit] += 1
    return counts

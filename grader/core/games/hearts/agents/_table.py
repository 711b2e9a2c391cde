"""Simple questions about cards and the current trick, which the rule players share."""

from collections.abc import Iterable

from firebox.hearts import QUEEN_OF_SPADES, SUITS, Card, Observation

QUEEN_RANK = QUEEN_OF_SPADES.rank


def highest(cards: Iterable[Card]) -> Card:
    """The highest; of equal ranks the one of the later suit."""
    return max(cards, key=lambda card: (card.rank, card.suit))


def lowest(cards: Iterable[Card]) -> Card:
    """The lowest; of equal ranks the one of the earlier suit."""
    return min(cards, key=lambda card: (card.rank, card.suit))


def of_suit(cards: Iterable[Card], suit: str) -> list[Card]:
    """The cards of a suit, in their order."""
    return [card for card in cards if card.suit == suit]


def queen_is_out(observation: Observation) -> bool:
    """Return whether another player holds the queen of spades."""
    return QUEEN_OF_SPADES in observation.unseen()


def trick_points(observation: Observation) -> int:
    """Return the points in the current trick."""
    return sum(played.card.points for played in observation.trick)


def is_last(observation: Observation) -> bool:
    """Return whether nobody plays to the trick any more."""
    return len(observation.trick) == observation.players - 1


def higher_out(card: Card, unseen: Iterable[Card]) -> int:
    """Count the cards of others that beat it, if its suit is led."""
    return sum(other.suit == card.suit and other.rank > card.rank for other in unseen)


def lower_out(card: Card, unseen: Iterable[Card]) -> int:
    """Count the cards of others that it beats."""
    return sum(other.suit == card.suit and other.rank < card.rank for other in unseen)


def length(cards: Iterable[Card]) -> dict[str, int]:
    """Count the cards of each suit."""
    counts = dict.fromkeys(SUITS, 0)
    for card in cards:
        counts[card.suit] += 1
    return counts

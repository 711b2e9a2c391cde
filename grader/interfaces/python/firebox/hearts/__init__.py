"""Hearts as an agent sees it: typed, immutable observations, actions and events.

Suits are single letters (``C D S H``), ranks are numbers from 2 to 14, the ace; a card is written
as suit and rank, ``SQ`` for the queen of spades, ``HT`` for the ten of hearts. Seats count from 0,
and play goes from each to the next. Points are bad: the seat with fewest points wins.

Values are converted when they are first read.
"""

from firebox.hearts.actions import (
    ACTION_TYPES,
    Action,
    Pass,
    Play,
    action_from_wire,
    action_to_wire,
)
from firebox.hearts.cards import ALL_CARDS, QUEEN_OF_SPADES, SUITS, TWO_OF_CLUBS, Card
from firebox.hearts.events import (
    Dealt,
    Event,
    HandScored,
    Passed,
    Played,
    Received,
    TrickTaken,
    event_from_wire,
)
from firebox.hearts.observation import Observation, observation_from_wire
from firebox.hearts.others import OtherHands

__all__ = [
    "ACTION_TYPES",
    "ALL_CARDS",
    "QUEEN_OF_SPADES",
    "SUITS",
    "TWO_OF_CLUBS",
    "Action",
    "Card",
    "Dealt",
    "Event",
    "HandScored",
    "Observation",
    "OtherHands",
    "Pass",
    "Passed",
    "Play",
    "Played",
    "Received",
    "TrickTaken",
    "action_from_wire",
    "action_to_wire",
    "event_from_wire",
    "observation_from_wire",
]

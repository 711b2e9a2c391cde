"""Hanabi as an agent sees it: typed, immutable observations, actions and events.

Colours are single letters (``R Y G W B``), ranks are numbers from 1 to 5, seats and positions in a
hand count from 0. A hand's positions run from the oldest card to the newest one, unless the option
``draw_position`` is ``"slot"``: then a drawn card takes the place of the one that left.

Values are converted when they are first read. Cards, knowledge and actions are shared objects from
tables, so that comparing and hashing them is cheap.
"""

from firebox.hanabi.actions import (
    ACTION_TYPES,
    Action,
    Discard,
    Hint,
    Play,
    Swap,
    action_from_wire,
    action_to_wire,
)
from firebox.hanabi.cards import ALL_CARDS, COLORS, COPIES, RANKS, Card, Knowledge
from firebox.hanabi.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    Hinted,
    Played,
    Swapped,
    event_from_wire,
)
from firebox.hanabi.hand import Hand
from firebox.hanabi.observation import Observation, observation_from_wire

__all__ = [
    "ACTION_TYPES",
    "ALL_CARDS",
    "COLORS",
    "COPIES",
    "RANKS",
    "Action",
    "Card",
    "Dealt",
    "Discard",
    "Discarded",
    "Drawn",
    "Event",
    "Hand",
    "Hint",
    "Hinted",
    "Knowledge",
    "Observation",
    "Play",
    "Played",
    "Swap",
    "Swapped",
    "action_from_wire",
    "action_to_wire",
    "event_from_wire",
    "observation_from_wire",
]

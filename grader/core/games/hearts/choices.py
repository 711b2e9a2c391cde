"""Hearts for a person who plays a seat: what it sees and may do, in words."""

from grader.core.games.base import JsonObject
from grader.core.games.hearts.cards import SUITS, card_words

__all__ = ["choice", "observed"]


def choice(observation: JsonObject, action: JsonObject) -> str:
    """Return a legal action as it is offered: ``Lead the queen of spades``."""
    leads = action["type"] == "play" and not observation["trick"]
    verb = "Lead" if leads else action["type"].capitalize()
    return f"{verb} {card_words(action['card'])}"


def observed(observation: JsonObject) -> str:
    """Return the table as a seat sees it: its hand, the trick, everybody's points."""
    now = f"hand {observation['hand_number'] + 1}, trick {observation['tricks_played'] + 1}"
    if observation["phase"] == "pass":
        now = f"hand {observation['hand_number'] + 1}, pass three cards {observation['passing']}"
    trick = " ".join(f"{play['card']} (seat {play['seat']})" for play in observation["trick"])
    broken = ", hearts broken" if observation["hearts_broken"] else ""
    held = [" ".join(card for card in observation["hand"] if card[0] == suit) for suit in SUITS]
    return "\n".join(
        [
            f"turn {observation['turn']}: {now}{broken}",
            f"  trick      {trick or 'none'}",
            f"  this hand  {_by_seat(observation['points'])}",
            f"  totals     {_by_seat(observation['totals'])}",
            f"  your hand  {'   '.join(filter(None, held)) or 'no card'}",
        ]
    )


def _by_seat(points: "list[int] | tuple[int, ...]") -> str:
    return ", ".join(f"seat {seat}: {count}" for seat, count in enumerate(points))

"""Hearts, everybody for themselves: tricks without trumps; hearts and one queen cost points.

Sources: J. McLeod, *Hearts* (pagat.com, 2024); the rules of the course FIT2102 of Monash
University; OpenSpiel's ``hearts``, with which ``standard`` agrees move for move (tests drive it).

Choices made where the sources leave one, beyond the options:

- The deck is 52 cards, sorted by suit (C D S H) and rank, without the two of diamonds if there are
  three players. Hand ``k`` of a game is shuffled as ``grader.core.deals`` says, from the game's
  deal seed for ``k = 0``, from HMAC-SHA-256(key=deal seed, message="firebox hand v1" ‖ uint64be(k))
  for others. Seat 0 is dealt the first cards, seat 1 the next, and so on.
- Play goes to the next higher seat number. *Left* is that seat.
- Who passes does so card by card, seat 0 all three first, and so on; nobody sees what the others
  pass before all have.
- The two of clubs leads the first trick of a hand. A heart may be led when one was played in an
  earlier trick (or the queen of spades, with ``queen_breaks``), or from a hand of hearts only.
- A hand is played to its last card. A heart is a point, the queen of spades thirteen. The score of
  a seat is its total: the fewer the better.
- After ``end_at`` is reached, at most three more hands are played to part those who have fewest;
  and no game has more than ``MAX_HANDS``.

The order of legal actions: by suit and rank.
"""

from typing import Final

from grader.core.games.hearts.cards import CARDS, MAX_EXTRA_HANDS, deck
from grader.core.games.hearts.endings import HeartsEnding
from grader.core.games.hearts.game import Hearts
from grader.core.games.hearts.rules import HeartsState

__all__ = ["CARDS", "GAME", "MAX_EXTRA_HANDS", "Hearts", "HeartsEnding", "HeartsState", "deck"]

GAME: Final = Hearts

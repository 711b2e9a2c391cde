"""Hanabi, cooperative: fireworks of five colours, every hand visible to all but its holder.

Sources: the rule book (A. Bauza, R & R Games 2011); Bard et al., *The Hanabi Challenge* (2019,
arXiv:1902.00506), whose learning environment ``standard`` agrees with move for move (tests drive
it through OpenSpiel); the rules of the courses named in ``hanabi_options``.

Choices made where the sources leave one, beyond the options:

- The deck is ten cards a colour (three 1, two 2, 3 and 4, one 5), sorted by colour (R Y G W B) and
  rank, then shuffled as ``grader.core.deals`` says. Seat 0 is dealt the first ``hand_size`` cards,
  seat 1 the next, and so on; draws go on from there. Seat 0 begins.
- The game ends at once with the last card of the last firework (``perfect``) or with the last life
  (``strikes``), without a draw; otherwise when every seat has had its turn in the last round
  (``deck_out``). It does not end early because nothing can be gained any more.
- A completed colour returns a token only if one is missing. A misplayed card goes to the discards.
- With ``misplay: token`` a misplay takes a hint token, and is free when there is none left.
- A hint names one colour or one rank, and always points at all cards of it, none with
  ``empty_hints`` where there is none. Nobody hints themselves.
- With ``last_round: after_failed_draw`` a seat that is a card short may discard the card that it
  lacks, as in the simulator of Lin and Xu: no card leaves, a token returns, the turn is over. Their
  published agents do so. It is not among the legal actions, but it is accepted.
- A swap does not end the turn. After 100 of them in one turn swaps are illegal until the next, so
  that every game ends. ``first`` is the smaller index; both slots hold a card.

The order of legal actions: plays by index, discards by index, hints (seats in order of play from
the next one; colours in option order, then ranks), swaps.

All rules of play stand in this one file, to be read beside a rule book; the options with their
variants, and the tables that make it fast, have modules of their own.
"""

from typing import Final

from grader.core.games.hanabi.cards import DECK, SWAPS_PER_TURN
from grader.core.games.hanabi.endings import HanabiEnding
from grader.core.games.hanabi.game import Hanabi
from grader.core.games.hanabi.rules import HanabiState

__all__ = ["DECK", "GAME", "SWAPS_PER_TURN", "Hanabi", "HanabiEnding", "HanabiState"]

GAME: Final = Hanabi

"""Recommendations: a hint sums up what each of the other players should do next.

The speaker sees for every other player what would be best: to play a certain card, or to discard a
certain one. Each such move has a number, and the hint (``_signals``) is their sum. Each listener
sees all the other hands, subtracts the others' numbers, and is left with the own move. After
C. Cox, J. De Silva, P. Deorsey, F. Kenter, T. Retter, J. Tobin, *How to Make the Perfect Fireworks
Display* (Mathematics Magazine 88, 2015). Made for three players or more: with two there is nothing
to sum up, and a hint has too few numbers.
"""

from collections.abc import Sequence
from typing import TypeAlias

from firebox import Context
from firebox.hanabi import Action, Discard, Hint, Hinted, Observation, Play

from ._knowledge import CARD, members
from ._public import Follower
from ._signals import hints_for, modulus_of, number_of

Move: TypeAlias = Play | Discard

LIKELY = 0.6
"""A card is played without being sure, while there is a life to spare and no token for a hint."""


class Recommendation(Follower):
    """Follows recommendations to play, hints while there are tokens, then discards as told."""

    def start(self, context: Context) -> None:
        super().start(context)
        self.dropped: int | None = None
        """Tells by its birth the own card that we should discard."""

    # What a hint says.

    def listen(self, hint: Hinted) -> None:
        """Work out what everybody was told."""
        speaker, (number, modulus) = hint.seat, number_of(self.public, hint)
        for seat in self.public.others_after(speaker):
            if seat != self.seat:
                moves = self._moves(seat, modulus)
                best = self._best(seat, moves)
                number -= best
                self._learn(seat, moves, best)
        if speaker != self.seat:
            moves = self._moves(self.seat, modulus)
            told = number % modulus
            if told < len(moves):  # else the speaker has another convention
                self._learn(self.seat, moves, told)

    def _moves(self, seat: int, most: int) -> list[Move]:
        """Return what to recommend to a seat: plays that it isn't sure of, likely ones first, then
        discards, the oldest card first."""
        table, masks = self.public.table, self.public.possible(seat)
        fits, count = table.playable, table.left.count
        chances = {
            at: count(mask & fits) / count(mask)
            for at, mask in enumerate(masks)
            if mask & fits and mask & ~fits
        }
        plays = sorted(chances, key=lambda at: (-chances[at], at))[: most - 1]
        born = self.public.hands[seat].born
        held = sorted((at for at, mask in enumerate(masks) if mask), key=born.__getitem__)
        moves: list[Move] = [Play(at) for at in plays]
        return [*moves, *(Discard(at) for at in held)][:most]

    def _best(self, seat: int, moves: Sequence[Move]) -> int:
        faces = self.public.hands[seat].faces
        return min(range(len(moves)), key=lambda n: self._order(moves[n], faces), default=0)

    def _order(self, move: Move, faces: Sequence[int]) -> tuple[int, int]:
        """Fives to play, then low cards to play; then what is useless, what there is twice, the
        highest first; then the rest."""
        table, face = self.public.table, faces[move.card]
        rank = CARD[face].rank
        if isinstance(move, Play):
            return (0, rank % 5) if face & table.playable else (9, 0)
        if face & table.useless:
            return 1, 0
        return (2, -rank) if face & ~table.critical else (3, -rank)

    def _learn(self, seat: int, moves: Sequence[Move], best: int) -> None:
        """Learn that the named card fits, or that no card fits which could be named."""
        if not moves:
            return
        masks, fits = self.public.possible(seat), self.public.table.playable
        match moves[best]:
            case Play(at):
                masks[at] &= fits
            case Discard(at):
                for move in moves:
                    if isinstance(move, Play):
                        masks[move.card] &= ~fits
                if seat == self.seat:
                    self.dropped = self.public.hands[seat].born[at]
        self.public.hands[seat].masks = masks

    # The choice of an action.

    def act(self, observation: Observation) -> Action:
        """Play what fits; else hint; else play what probably fits; else discard."""
        mine = self.look()
        legal = observation.legal_actions
        choices = (
            self._play(mine, 1.0),
            self._hint(legal),
            self._play(mine, LIKELY) if self.public.lives != 1 else None,
            Discard(self._discard(mine)),
            *reversed(legal),
        )
        return next(action for action in choices if action in legal)

    def _play(self, mine: Sequence[int], least: float) -> Play | None:
        fits = self.public.table.playable
        chances = {at: self.chance(mask, fits) for at, mask in enumerate(mine) if mask}
        lowest = {at: min(CARD[bit].rank for bit in members(mine[at])) for at in chances}
        best = max(chances, key=lambda at: (chances[at], -lowest[at], -at), default=None)
        return Play(best) if best is not None and chances[best] >= least else None

    def _hint(self, legal: Sequence[Action]) -> Hint | None:
        modulus = modulus_of(self.public, self.seat)
        if not self.public.tokens or not modulus:
            return None
        others = self.public.others_after(self.seat)
        number = sum(self._best(seat, self._moves(seat, modulus)) for seat in others)
        return next(iter(hints_for(self.public, self.seat, number % modulus, legal)), None)

    def _discard(self, mine: Sequence[int]) -> int:
        useless, born = self.public.table.useless, self.public.hands[self.seat].born
        return min(
            (at for at, mask in enumerate(mine) if mask),
            key=lambda at: (bool(mine[at] & ~useless), born[at] != self.dropped, born[at]),
            default=0,
        )

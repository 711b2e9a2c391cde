"""The simplest convention that people play: a hint means that a card fits.

- *Play*: of the cards that a hint touches, the newest that can fit fits. (One that everybody knew
  to fit already does not count.)
- *Nothing*: while all tokens are there, so that nobody may discard, a hint of rank that touches
  the oldest card says no more than its words.

Hints are given only if all that they mean is true. In the manner of A. O'Dwyer's SmartBot.
``convention_2`` and ``convention`` give more meaning to what is done and not done.
"""

from collections.abc import Sequence
from functools import cache
from math import log2
from typing import NamedTuple

from firebox.hanabi import Action, Discard, Hint, Hinted, Observation, Play

from ._knowledge import CARD, OF_COLOR, OF_RANK, members
from ._public import Follower

# What the effects of a hint are worth, and when to take risks: found by trying.
PLAY, USELESS, PER_BIT, SOON = 10.0, 1.5, 0.3, 0.1
SAFE_GAMBLE, LATE = 0.8, 3


class Idea(NamedTuple):
    """A hint that tells the truth."""

    worth: float
    plays: int
    """The number of cards that it makes known to fit."""
    hint: Hint


class Convention1(Follower):
    """Hints say which card to play."""

    keeping = 5.0
    """The value of naming a card that is needed and the last of its kind: players keep cards that
    hints have named."""
    most_risk = 0.1
    """If the own discard is likelier to be such a card, even a poor hint is better."""

    # What actions mean to everybody.

    def listen(self, hint: Hinted) -> None:
        """Interpret a hint."""
        self.learn(hint, self.meaning(hint.seat, hint.to, touched(hint), hint.positions))

    def learn(self, hint: Hinted, meaning: Sequence[int]) -> None:
        """Everybody takes a hint to mean that only this is possible of the hand it went to."""
        hand = self.public.hands[hint.to]
        pairs = zip(hand.masks, meaning, strict=True)
        hand.masks = [mask & new or new for mask, new in pairs]

    def meaning(
        self,
        speaker: int,  # noqa: ARG002 - of use to the conventions that are built on this one
        to: int,
        bits: int,
        positions: Sequence[int],
    ) -> list[int]:
        """Return the cards that a hint on ``bits`` leaves possible, by slot of the hand."""
        public, born = self.public, self.public.hands[to].born
        old = public.possible(to)
        new = words(old, bits, positions)
        if public.tokens == public.max_tokens and bits in OF_RANK.values():
            held = [at for at, mask in enumerate(old) if mask]
            if min(held, key=born.__getitem__, default=None) in positions:
                return new
        fits = public.table.playable
        for at in sorted(positions, key=born.__getitem__, reverse=True):
            if new[at] & fits and old[at] & ~fits:
                new[at] &= fits
                break
        return new

    def oldest_untouched(self, seat: int) -> int | None:
        """The position of the oldest card of a seat that no hint has named."""
        hand = self.public.hands[seat]
        untouched = [at for at, told in enumerate(hand.told) if told and not _was_touched(told)]
        return min(untouched, key=hand.born.__getitem__, default=None)

    # The choice of an action.

    def act(self, observation: Observation) -> Action:
        """Play, hint, gamble, discard: the first of these that makes sense."""
        self.mine = self.look()
        legal = observation.legal_actions
        ideas = self._ideas([action for action in legal if isinstance(action, Hint)])
        discard = Discard(self._least_needed())
        return (
            self.urgent_hint(ideas)
            or self._play()
            or self._hint(ideas, discard, may_discard=discard in legal)
            or self._gamble()
            or next(action for action in (discard, *reversed(legal)) if action in legal)
        )

    def urgent_hint(self, _ideas: Sequence[Idea]) -> Hint | None:
        """A hint that goes before everything else: this convention has none."""
        return None

    def _chance(self, at: int, bits: int) -> float:
        return self.chance(self.mine[at], bits)

    def _play(self) -> Play | None:
        fits, wanted = self.public.table.playable, 0
        for seat in self.public.others_after(self.seat):
            for face in self.public.hands[seat].faces:
                wanted |= (face & ~OF_RANK[1]) >> 1
        sure = [at for at, mask in enumerate(self.mine) if mask and not mask & ~fits]
        if not sure:
            return None
        lowest = {at: min(CARD[bit].rank for bit in members(self.mine[at])) for at in sure}
        return Play(min(sure, key=lambda at: (-self._chance(at, wanted), lowest[at], at)))

    def _hint(self, ideas: Sequence[Idea], discard: Discard, *, may_discard: bool) -> Hint | None:
        best = best_of(ideas)
        if best is None or (best.plays and best.worth > 0):
            return best and best.hint
        public = self.public
        risk = self._chance(discard.card, public.table.critical)
        needed = not may_discard or (risk > self.most_risk and public.tokens > 1)
        return best.hint if needed or (public.deck <= LATE and best.worth > 0) else None

    def _ideas(self, hints: Sequence[Hint]) -> list[Idea]:
        ideas, promised = [], self._promised()
        for hint in hints:
            bits, faces = touched(hint), self.public.hands[hint.to].faces
            positions = [at for at, face in enumerate(faces) if face & bits]
            new = self.meaning(self.seat, hint.to, bits, positions)
            if all(mask & face for mask, face in zip(new, faces, strict=True) if face):
                distance = (hint.to - self.seat) % self.public.players
                worth, plays = self._worth(hint, new, promised)
                ideas.append(Idea(worth - SOON * distance, plays, hint))
        return ideas

    def _promised(self) -> int:
        """Cards that their holder knows: nobody else should be told to play another copy."""
        public, promised = self.public, 0
        for seat in range(public.players):
            for mask, face in zip(public.possible(seat), public.hands[seat].faces, strict=True):
                if mask and not mask & (mask - 1):
                    promised |= mask
                if mask and not mask & ~public.table.playable:
                    promised |= face
        return promised

    def _worth(self, hint: Hint, new: Sequence[int], promised: int) -> tuple[float, int]:
        """Return a hint's worth, and how many cards it makes known to fit."""
        table, hand = self.public.table, self.public.hands[hint.to]
        worth, plays = 0.0, 0
        for at, old in enumerate(self.public.possible(hint.to)):
            face = hand.faces[at]
            if not face or old == new[at]:
                continue
            if not new[at] & ~table.playable and old & ~table.playable:
                worth += -1 if face & promised else PLAY
                plays += not face & promised
                promised |= face
            elif not new[at] & ~table.useless and old & ~table.useless:
                worth += USELESS
            if face & table.critical & touched(hint) and not _was_touched(hand.told[at]):
                worth += self.keeping
            if face & ~table.useless:
                worth += PER_BIT * log2(table.left.count(old) / max(table.left.count(new[at]), 1))
        return worth, plays

    def _gamble(self) -> Play | None:
        public = self.public
        if public.lives == 1:
            return None
        fits = public.table.playable
        best = max(range(len(self.mine)), key=lambda at: self._chance(at, fits), default=None)
        if best is None:
            return None
        least = SAFE_GAMBLE if public.deck else 0.01
        return Play(best) if self._chance(best, fits) >= least else None

    def _least_needed(self) -> int:
        table = self.public.table
        for at, mask in enumerate(self.mine):
            if mask and not mask & ~table.useless:
                return at
        oldest = self.oldest_untouched(self.seat)
        if oldest is not None and self.mine[oldest] & ~table.critical:
            return oldest
        return min(
            range(len(self.mine)),
            key=lambda at: (not self.mine[at], self._chance(at, table.critical), at),
            default=0,
        )


def best_of(ideas: Sequence[Idea]) -> Idea | None:
    """The most worthwhile hint, if there is any."""
    return max(ideas, key=lambda idea: idea.worth, default=None)


def words(old: Sequence[int], bits: int, positions: Sequence[int]) -> list[int]:
    """Return the cards that a hint leaves possible by its words alone, by slot."""
    return [mask & (bits if at in positions else ~bits) for at, mask in enumerate(old)]


def touched(hint: Hint | Hinted) -> int:
    """The cards that a hint names."""
    return OF_COLOR[hint.color] if hint.color is not None else OF_RANK[hint.rank or 0]


@cache
def _was_touched(told: int) -> bool:
    return any(not told & ~bits for bits in (*OF_COLOR.values(), *OF_RANK.values()))

"""Hat guessing: every hint tells all the other players something about their own hands.

A hint is a number (``_signals``), the sum of everybody's answers to public questions (``_hats``).
What it says by the rules is a by-product. The best of our agents from three players on; useless
beside partners who don't play the same convention.
"""

from collections.abc import Callable

from firebox import Context
from firebox.hanabi import (
    Action,
    Discard,
    Discarded,
    Event,
    Hint,
    Hinted,
    Observation,
    Play,
)

from ._hats import decode, encode
from ._knowledge import CARD, OF_COLOR, OF_RANK
from ._public import Follower
from ._signals import hints_for, modulus_of, number_of


class Information(Follower):
    """Plays and discards what the hints' numbers have told it."""

    def start(self, context: Context) -> None:
        super().start(context)
        self.few_discards = 25 - context.players * self.public.hand_size

    # What an action tells everybody, besides its effect.

    def on_event(self, event: Event) -> None:
        """Decode discards too, in the state in which they were chosen."""
        if isinstance(event, Discarded):
            seat = event.seat
            useless = self._useless(self.public.possible(seat), self.public.table.useless)
            if self.public.tokens > 0:
                self._nobody_needs_a_hint(seat)
            if len(useless) > 1 and event.position in useless:
                self._listen(seat, useless.index(event.position), len(useless))
        super().on_event(event)

    def listen(self, hint: Hinted) -> None:
        """Decode a hint."""
        self._listen(hint.seat, *number_of(self.public, hint))

    def _listen(self, speaker: int, number: int, modulus: int) -> None:
        public = self.public
        for seat in public.others_after(speaker):
            if seat != self.seat:
                masks = public.possible(seat)
                number -= encode(masks, public.hands[seat].faces, public.table, modulus)
                public.hands[seat].masks = masks
        if speaker != self.seat:
            masks = public.possible(self.seat)
            decode(masks, number % modulus, public.table, modulus)
            public.hands[self.seat].masks = masks

    def _nobody_needs_a_hint(self, speaker: int) -> None:
        """Learn from a discard with a token at hand: its player saw no unknown fitting card."""
        public = self.public
        for seat in public.others_after(speaker):
            masks = public.possible(seat)
            if not self.public.knows_playable(masks):
                fits = public.table.playable
                public.hands[seat].masks = [mask & ~fits for mask in masks]

    @staticmethod
    def _useless(masks: list[int], useless: int) -> list[int]:
        single = [mask for mask in masks if mask and not mask & (mask - 1)]
        return [
            at
            for at, mask in enumerate(masks)
            if mask and (not mask & ~useless or single.count(mask) > 1)
        ]

    # The choice of an action.

    def act(self, observation: Observation) -> Action:
        """Play what fits; else say what others need; else discard."""
        mine = self.look()
        play = self._play(mine)
        if play is not None:
            return play
        legal = observation.legal_actions
        useless = self._useless(mine, self.public.table.useless)
        if self._should_hint(
            may_discard=any(isinstance(a, Discard) for a in legal), useless=useless
        ):
            hint = self._hint(legal)
            if hint is not None:
                return hint
        discard = Discard(self._discard(mine, useless))
        if discard in legal:
            return discard
        return next((action for action in legal if isinstance(action, Hint)), legal[0])

    def _average(self, mask: int, value: Callable[[int], float]) -> float:
        cards = [bit for bit in CARD if bit & mask]
        total = sum(self.hidden.count(bit) * value(bit) for bit in cards)
        return total / max(self.hidden.count(mask), 1)

    def _play(self, mine: list[int]) -> Play | None:
        fits, useless = self.public.table.playable, self.public.table.useless
        sure = [at for at, mask in enumerate(mine) if mask and not mask & ~fits]
        if sure:
            return Play(max(sure, key=lambda at: (self._average(mine[at], self._urgency), -at)))
        if self.public.lives == 1 or len(self.public.discards) > self.few_discards:
            return None
        gambles = [at for at, mask in enumerate(mine) if mask and not mask & ~(fits | useless)]
        best = max(gambles, key=lambda at: self.chance(mine[at], fits), default=None)
        if best is None or self.chance(mine[best], fits) <= 0.75:
            return None
        return Play(best)

    def _urgency(self, bit: int) -> float:
        """Low ranks first, and cards that nobody else could play."""
        copies = 1
        if self.public.deck:
            others = self.public.others_after(self.seat)
            copies += sum(bit in self.public.hands[seat].faces for seat in others)
        return (10 - CARD[bit].rank) / copies

    def _should_hint(self, *, may_discard: bool, useless: list[int]) -> bool:
        public = self.public
        if not public.tokens or not may_discard:
            return bool(public.tokens)
        fits = public.table.playable
        able = [
            seat
            for seat in public.others_after(self.seat)
            if any(face & fits for face in public.hands[seat].faces)
        ]
        if any(not self.public.knows_playable(public.possible(seat)) for seat in able):
            return True
        if useless and len(public.discards) <= self.few_discards:
            return False
        return bool(able) or public.tokens > 4

    def _hint(self, legal: tuple[Action, ...]) -> Hint | None:
        modulus = modulus_of(self.public, self.seat)
        if not modulus:
            return None
        number, learned = self._sum(modulus)
        hints = hints_for(self.public, self.seat, number, legal)
        return max(hints, key=lambda hint: self._worth(hint, learned[hint.to]), default=None)

    def _sum(self, modulus: int) -> tuple[int, dict[int, list[int]]]:
        number, learned = 0, {}
        for seat in self.public.others_after(self.seat):
            masks = self.public.possible(seat)
            faces = self.public.hands[seat].faces
            number += encode(masks, faces, self.public.table, modulus)
            learned[seat] = masks
        return number % modulus, learned

    def _worth(self, hint: Hint, masks: list[int]) -> float:
        bits = OF_COLOR[hint.color] if hint.color is not None else OF_RANK[hint.rank or 0]
        count, worth = self.public.table.left.count, 1.0
        for mask, face in zip(masks, self.public.hands[hint.to].faces, strict=True):
            if not mask & (mask - 1) or not mask & ~self.public.table.useless:
                continue
            new = mask & (bits if face & bits else ~bits)
            settled = not new & (new - 1) or not new & ~self.public.table.useless
            worth *= (2 if settled else 1) * count(mask) / max(count(new), 1)
        return worth

    def _discard(self, mine: list[int], useless: list[int]) -> int:
        """A useless card, chosen to tell something if several are known as such; else the least
        needed."""
        public = self.public
        if public.tokens > 0:
            self._nobody_needs_a_hint(self.seat)
        known = self._useless(public.possible(self.seat), public.table.useless)
        if len(known) > 1:
            return known[self._sum(len(known))[0]]
        if useless:
            return useless[0]
        seen = 0
        for seat in public.others_after(self.seat):
            for face in public.hands[seat].faces:
                seen |= face
        critical = public.table.critical
        return max(
            range(len(mine)),
            key=lambda at: (
                mine[at] > 0,
                20 * self.chance(mine[at], seen)
                + 10 * self.chance(mine[at], ~critical)
                + self._average(mine[at], lambda bit: CARD[bit].rank),
                -at,
            ),
            default=0,
        )

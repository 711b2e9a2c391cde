"""Plain sense, against Firebox's own class. The rules of this strategy are in ``../README.md``."""

from firebox import Agent
from firebox.hanabi import COLORS, Discard, Hint, Play, Played


class PlainSense(Agent):
    def start(self, context):
        self.misplays = 0

    def on_event(self, event):
        if isinstance(event, Played) and not event.success:
            self.misplays += 1

    def act(self, observation):
        self.observation = observation
        action = self.sure_play()
        if action is None and observation.hint_tokens > 0:
            action = self.hint_at_playable()
        if action is None and observation.hint_tokens == 0 and self.misplays < 2:
            action = self.gamble()
        if action is None and observation.hint_tokens < observation.max_hint_tokens:
            action = self.discard()
        return action or self.hint_any()

    def by_age(self, hand):
        return sorted(hand.positions, key=lambda position: hand.ids[position])

    def mine(self):
        hand = self.observation.my_hand
        return [(position, hand.knowledge[position]) for position in self.by_age(hand)]

    def sure_play(self):
        tops = self.observation.fireworks
        for position, told in self.mine():
            if told.rank is None:
                continue
            colors = [told.color] if told.color else COLORS
            if all(tops[color] == told.rank - 1 for color in colors):
                return Play(position)
        return None

    def hint_at_playable(self):
        for hand in self.observation.others():
            for position in self.by_age(hand):
                card, told = hand[position], hand.knowledge[position]
                if not self.observation.is_playable(card):
                    continue
                if told.rank is None:
                    return Hint(hand.seat, rank=card.rank)
                if told.color is None:
                    return Hint(hand.seat, color=card.color)
        return None

    def gamble(self):
        tops = self.observation.fireworks.values()
        for position, told in self.mine():
            if told.color is None and told.rank is not None and told.rank - 1 in tops:
                return Play(position)
        return None

    def discard(self):
        tops, mine = self.observation.fireworks, self.mine()
        for position, told in mine:
            if told.color and told.rank and tops[told.color] >= told.rank:
                return Discard(position)
        for position, told in mine:
            if not told.hinted:
                return Discard(position)
        return Discard(mine[0][0])

    def hint_any(self):
        hand = self.observation.others()[0]
        held = {card.color for card in hand if card}
        return Hint(hand.seat, color=next(color for color in COLORS if color in held))

"""Plays what it knows to fit, hints the next player's playable cards, else discards."""

from firebox import Agent
from firebox.hanabi import Action, Discard, Hint, Observation, Play


class Cautious(Agent):
    def act(self, observation: Observation) -> Action:
        for position in observation.my_hand.positions:
            cards = observation.candidates(position)
            if all(observation.is_playable(card) for card in cards):
                return Play(position)
        return self.hint(observation) or observation.legal_actions[-1]

    def hint(self, observation: Observation) -> Action | None:
        if observation.hint_tokens == 0:
            return Discard(observation.my_hand.positions[0])
        partner = observation.others()[0]
        for position, card in enumerate(partner.cards):
            if card is not None and observation.is_playable(card):
                known = partner.knowledge[position]
                if known is not None and known.rank is None:
                    return Hint(partner.seat, rank=card.rank)
                return Hint(partner.seat, color=card.color)
        if observation.hint_tokens < observation.max_hint_tokens:
            return Discard(observation.my_hand.positions[0])
        return None

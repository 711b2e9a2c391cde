"""My Hanabi agent. It already plays; now make it better."""

from firebox import Agent, Context
from firebox.hanabi import Action, Discard, Hint, Observation, Play


class MyAgent(Agent):
    """Plays a card that must fit, else hints at one that fits, else discards its oldest card."""

    def start(self, context: Context) -> None:
        """Called once, before the game. One object plays one seat of one game."""
        self.random = context.random  # draw from this, and a game can be played again exactly

    def act(self, observation: Observation) -> Action:
        """Called whenever it is your turn."""
        ideas = (
            self.play_what_fits(observation),
            self.hint_at_what_fits(observation),
            self.discard_the_oldest(observation),
        )
        for action in ideas:
            if action in observation.legal_actions:
                return action
        hints = [action for action in observation.legal_actions if isinstance(action, Hint)]
        return self.random.choice(hints or observation.legal_actions)

    def play_what_fits(self, observation: Observation) -> Action | None:
        """Play a card if everything that it can still be would fit."""
        for position in observation.my_hand.positions:
            candidates = observation.candidates(position)
            if all(observation.is_playable(card) for card in candidates):
                return Play(position)
        return None

    def hint_at_what_fits(self, observation: Observation) -> Action | None:
        """Tell another player something new about a card that fits."""
        for hand in observation.others():
            for card, knowledge in zip(hand.cards, hand.knowledge, strict=True):
                if card is None or knowledge is None or not observation.is_playable(card):
                    continue
                if knowledge.rank is None:
                    return Hint(hand.seat, rank=card.rank)
                if knowledge.color is None:
                    return Hint(hand.seat, color=card.color)
        return None

    def discard_the_oldest(self, observation: Observation) -> Action | None:
        """Discard the card held longest."""
        ids = observation.my_hand.ids
        oldest = min(observation.my_hand.positions, key=lambda position: ids[position] or 0)
        return Discard(oldest)

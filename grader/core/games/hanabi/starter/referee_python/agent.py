"""My Hanabi agent. It already plays; now make it better."""


class Agent:
    """Plays a card of which it knows that it fits, else discards, else hints."""

    def __init__(self, seat, **referee):
        """Called once, before the game. One object plays one seat of one game."""
        self.seat = seat
        self.random = referee["random"]  # draw from this, and a game can be played again exactly
        self.hints = 0

    def update(self, seat, event, **referee):
        """Called for everything that happened, your own actions too."""
        self.hints += type(event).__name__ == "HintEvent"

    def action(self, observation, legal_actions, **referee):
        """Called whenever it is your turn."""
        for position in observation.my_hand.positions:
            cards = observation.candidates(position)
            if all(observation.is_playable(card) for card in cards):
                return self.named("Play", legal_actions)[position]
        discards = self.named("Discard", legal_actions)
        return discards[0] if discards else self.named("Hint", legal_actions)[0]

    def named(self, kind, legal_actions):
        """Return the legal actions of a kind, in their order."""
        return [action for action in legal_actions if type(action).__name__ == kind]

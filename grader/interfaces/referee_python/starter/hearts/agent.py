"""My Hearts agent. It already plays; now make it better."""


class Agent:
    """Passes its highest cards, plays its lowest."""

    def __init__(self, seat, **referee):
        """Called once, before the game. One object plays one seat in all hands of a game."""
        self.seat = seat
        self.random = referee["random"]  # draw from this, and a game can be played again exactly
        self.seen = []

    def update(self, seat, event, **referee):
        """Called for everything that happened, your own actions too."""
        self.seen.append((seat, event))

    def action(self, observation, legal_actions, **referee):
        """Called whenever it is your turn, to pass a card or to play one."""
        by_rank = sorted(legal_actions, key=lambda action: action.card.rank)
        return by_rank[-1] if observation.is_passing else by_rank[0]

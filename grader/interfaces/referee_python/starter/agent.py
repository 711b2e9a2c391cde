"""My <<title>> agent. It already plays; now make it better."""


class Agent:
    """Takes the first legal action."""

    def __init__(self, seat, **referee):
        """Called once, before the game. One object plays one seat of one game."""
        self.seat = seat
        self.random = referee["random"]  # draw from this, and a game can be played again exactly
        self.history = []

    def update(self, seat, event, **referee):
        """Called for everything that happened, your own actions too."""
        self.history.append((seat, event))

    def action(self, observation, legal_actions, **referee):
        """Called whenever it is your turn."""
        return legal_actions[0]

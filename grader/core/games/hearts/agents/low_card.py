"""Low card: always the lowest card that is allowed. It knows no points, only that small is good."""

from firebox import Agent
from firebox.hearts import Action, Observation, Pass, Play

from ._table import highest, lowest


class LowCard(Agent):
    """Plays the lowest card, passes the highest."""

    def act(self, observation: Observation) -> Action:
        if observation.is_passing:
            return Pass(highest(observation.hand))
        return Play(lowest(action.card for action in observation.legal_actions))

"""An agent for Hearts that does next to nothing: plays the first card that is legal."""

from firebox import Agent as Base
from firebox.hearts import Action, Observation


class Agent(Base):
    """By suit and rank, as legal actions come."""

    def act(self, observation: Observation) -> Action:
        """A turn costs the interpreter and the wire, and nothing else."""
        return observation.legal_actions[0]

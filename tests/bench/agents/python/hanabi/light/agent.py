"""An agent that does next to nothing and never loses: hints while it can, else discards."""

from firebox import Agent as Base
from firebox.hanabi import Action, Discard, Hint, Observation


class Agent(Base):
    """Takes the last legal hint if there is one, else discards its oldest card."""

    def act(self, observation: Observation) -> Action:
        """A turn costs the interpreter and the wire, and nothing else."""
        if observation.hint_tokens:
            return next(one for one in reversed(observation.legal_actions) if isinstance(one, Hint))
        return Discard(0)

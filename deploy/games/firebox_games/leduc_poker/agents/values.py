"""Values: raise with a pair or a king, call with a queen, fold a jack to a raise; bluff rarely."""

from firebox import Agent, Context
from firebox.any_game import Action, Observation

BLUFF = 0.15


class Values(Agent):
    """Chooses by the strength of its hand."""

    def start(self, context: Context) -> None:
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        by_type = {action.type: action for action in observation.legal_actions}
        hand, middle = observation.hand, observation.middle
        is_strong = hand == middle or (hand == "K" and middle is None)
        is_weak = hand != middle and (hand == "J" or (middle == "K" and hand == "Q"))
        if is_strong or self.random.random() < BLUFF:
            return by_type.get("raise", by_type["call"])
        return by_type.get("fold", by_type["call"]) if is_weak else by_type["call"]

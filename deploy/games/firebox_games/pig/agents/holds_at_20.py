"""Hold at 20: one roll more would lose as much on average as it wins.

Five of six numbers win 4 points on average, 3 1/3 points a roll; a 1 loses the turn's points, 3 1/3
of 20 points a roll. Todd Neller and Clifton Presser, “Optimal Play of the Dice Game Pig” (2004),
show that near the end it is better to roll until the game is won.
"""

from firebox import Agent
from firebox.any_game import Action, Observation

TARGET, NEAR = 100, 29


class HoldsAt20(Agent):
    """Holds at 20, or rolls to the end if any player needs fewer than 30 points."""

    def act(self, observation: Observation) -> Action:
        banked = observation.banked
        enough = TARGET - banked[observation.seat]
        goal = enough if TARGET - max(banked) <= NEAR else min(20, enough)
        wanted = "hold" if observation.unbanked >= goal else "roll"
        return next(action for action in observation.legal_actions if action.type == wanted)

"""Level *published*, on house agents: those of the game play as they are ranked."""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.deals import deal_seed
from grader.house.catalogue import answering
from grader.play.players import LocalPlayer, play_game

AGENT_CHECKS, check = checks(Level.PUBLISHED)
_GAMES: Final = 100
_SURE: Final = 3.0
"""Standard errors: of a thousand agents that are equally strong, one is refused."""


@check("Mend the agent, or give it a place in `NAMES` by its strength: the weakest comes first.")
def its_house_agents_are_ranked_as_they_play(trial: Trial) -> Iterator[str]:
    agents = {name: agent.local() for name, agent in answering(trial.game).items() if agent.local}
    for (weaker, first), (stronger, second) in pairwise(agents.items()):
        leads = [_lead(trial, index, first, second) for index in range(_GAMES)]
        if fmean(leads) + _SURE * stdev(leads) / sqrt(_GAMES) < 0:
            yield f"{stronger} scores less than {weaker}, which is ranked below it."


def _lead(trial: Trial, index: int, weaker: type[Any], stronger: type[Any]) -> float:
    """Return the points by which an agent is ahead of one that is ranked below it, in a deal."""
    game, seed = trial.game, deal_seed(SECRET, index)
    sign = -1 if game.lower_is_better else 1
    if not game.competitive:
        ours, theirs = (
            play_game(game, seed, [LocalPlayer(each) for _ in trial.seats]).scores[0]
            for each in (stronger, weaker)
        )
        return sign * float(ours - theirs)
    own = index % game.seats
    kinds = [stronger if seat == own else weaker for seat in trial.seats]
    scores = play_game(game, seed, list(map(LocalPlayer, kinds))).scores
    others = [score for seat, score in enumerate(scores) if seat != own]
    return sign * (scores[own] - fmean(others or [0]))

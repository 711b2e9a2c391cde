"""Level *published*, on house agents: those of the game play as they are ranked."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, TypeAlias

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.deals import deal_seed
from grader.house.catalogue import answering
from grader.play.players import LocalPlayer, play_game

AGENT_CHECKS, check = checks(Level.PUBLISHED)
_GAMES: Final = 100
_SURE: Final = 3.0
"""Standard errors: of a thousand agents that are equally strong, one is refused."""


@check("Mend the agent, leave it out, or give it a place in `NAMES` by its strength: the weakest"
       " comes first, after `random_legal`.")  # fmt: skip
def its_house_agents_are_ranked_as_they_play(trial: Trial) -> Iterator[str]:
    """Compare neighbours: an agent is misplaced if it is behind, and earns less as well.

    Where seats can win together, an agent that never leads may earn more, as tit for tat does.
    """
    agents = {name: agent.local() for name, agent in answering(trial.game).items() if agent.local}
    for (weaker, first), (stronger, second) in pairwise(agents.items()):
        behind = min(_behind(trial, measure, first, second) for measure in (_lead, _gain))
        if behind:
            yield (
                f"{stronger} scores {behind:.2f} less than {weaker}, which is ranked below it, in"
                f" the mean of {_GAMES} games of the two."
            )


_Measure: TypeAlias = Callable[[Trial, int, type[Any], type[Any]], float]


def _behind(trial: Trial, measure: _Measure, weaker: type[Any], stronger: type[Any]) -> float:
    values = [measure(trial, index, weaker, stronger) for index in range(_GAMES)]
    mean, reach = fmean(values), _SURE * stdev(values) / sqrt(_GAMES)
    return -mean if mean + reach < 0 else 0


def _lead(trial: Trial, index: int, weaker: type[Any], stronger: type[Any]) -> float:
    if not trial.game.competitive:
        return _gain(trial, index, weaker, stronger)
    own, scores = _scores(trial, index, weaker, stronger)
    return scores[own] - fmean([score for seat, score in enumerate(scores) if seat != own] or [0])


def _gain(trial: Trial, index: int, weaker: type[Any], stronger: type[Any]) -> float:
    (own, ours), (_, theirs) = (_scores(trial, index, weaker, each) for each in (stronger, weaker))
    return ours[own] - theirs[own]


def _scores(
    trial: Trial, index: int, others: type[Any], agent: type[Any]
) -> tuple[int, Sequence[float]]:
    game, own = trial.game, index % trial.game.seats
    kinds = [agent if seat == own or not game.competitive else others for seat in trial.seats]
    played = play_game(game, deal_seed(SECRET, index), list(map(LocalPlayer, kinds)))
    return own, [-score if game.lower_is_better else score for score in played.scores]

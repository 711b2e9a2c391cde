"""House agents' scores on a deal that a person has played, one agent in every seat."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from firebox.seat import LocalSeat
from grader.core.games import game_from_options
from grader.core.position import play_on
from grader.house.catalogue import answering
from webapp.contests.playing.models import HumanGame

KEPT: Final = 256


def house_scores(game: HumanGame) -> Sequence[tuple[str, int]]:
    """Return each quick house agent's points on the deal; none of a competitive game."""
    rules = game.rules
    if game.is_open or rules.competitive:
        return []
    quick = answering(rules)
    names = dict.fromkeys(each.house for each in game.others if each.house in quick)
    options = json.dumps(game.options, sort_keys=True)
    return [
        (quick[name].title, _points(game.game, options, game.deal_seed, name)) for name in names
    ]


@lru_cache(maxsize=KEPT)
def _points(family: str, options: str, deal_seed: str, name: str) -> int:
    game, seed = game_from_options(family, json.loads(options)), bytes.fromhex(deal_seed)
    local = answering(game)[name].local
    if local is None:
        raise LookupError(f"{name} does not answer in this process")
    players = {seat: LocalSeat(local()).send for seat in range(game.seats)}
    state = game.deal(seed)
    for notation in play_on(game, seed, (), players).actions:
        state.apply(game.parse(notation))
    return state.scores()[0]

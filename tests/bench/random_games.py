"""``python -m tests.bench.random_games GAME GAMES``: play random games, and print what they took.

A process of its own, for a process has the rules either as Python or as machine code. With
``--openspiel NAME`` OpenSpiel plays in place of our rules, if it is installed.
"""

import argparse
import hashlib
import importlib
import json
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from grader.core.games import game_from_options

_OPTIONS: Final[dict[str, dict[str, int]]] = {"hearts": {"hands": 1}}
"""Options with which a game lasts as long as OpenSpiel's, by the game's name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("games", type=int)
    parser.add_argument("--openspiel", metavar="NAME")
    arguments = parser.parse_args()
    play = _openspiel(arguments.openspiel) if arguments.openspiel else _ours(arguments.game)
    _measured(play, max(1, arguments.games // 4))
    print(json.dumps(_measured(play, arguments.games)))


def _measured(play: Callable[[int, Random], int], games: int) -> dict[str, float]:
    random, began = Random(1), time.process_time()  # noqa: S311 - the same games every time
    actions = sum(play(index, random) for index in range(games))
    return {"games": games, "actions": actions, "seconds": time.process_time() - began}


def _ours(name: str) -> Callable[[int, Random], int]:
    game = game_from_options(name, _OPTIONS.get(name, {}))

    def play(index: int, random: Random) -> int:
        state = game.deal(hashlib.sha256(index.to_bytes(8, "big")).digest())
        while legal := state.legal_actions():
            state.apply(legal[int(random.random() * len(legal))])
        return state.turn

    return play


def _openspiel(name: str) -> Callable[[int, Random], int]:
    game: Any = importlib.import_module("pyspiel").load_game(name)

    def play(_: int, random: Random) -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
                continue
            legal, actions = state.legal_actions(), actions + 1
            state.apply_action(legal[int(random.random() * len(legal))])
        return actions

    return play


if __name__ == "__main__":
    main()

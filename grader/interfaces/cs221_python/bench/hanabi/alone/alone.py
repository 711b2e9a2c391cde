"""Plays games in this process with the simulator's own types, and says how long that took."""

import time
from typing import NoReturn

from light import Light
from simulator import GameState, GameStateData, Rule

GAMES = 1000
AGENTS = 2


class Alone(Light):
    """Never gets to play a game of anybody else's."""

    def registerInitialState(self, gameState: GameState) -> NoReturn:
        """Raises an error that says the result."""
        began = time.perf_counter_ns()
        turns = sum(play() for _ in range(GAMES))
        us = (time.perf_counter_ns() - began) // 1000
        raise RuntimeError(f"alone: {GAMES} games, {turns} turns, {us} us")


def play() -> int:
    """One game with open cards, as the course's loop plays it; returns how many turns it had."""
    rule, data = Rule(5, [3, 2, 2, 2, 1], 4, 7, AGENTS), GameStateData()
    data.initialize(rule)
    state = GameState(rule, data)
    agents = [Light(index) for index in range(AGENTS)]
    for agent in agents:
        agent.registerInitialState(state)
    turns = 0
    while not state.isEnd():
        index = turns % AGENTS
        action = agents[index].getAction(state.deepCopy())
        state = state.generateSuccessor(index, action)
        for agent in agents:
            agent.inference(state, index, action)
        turns += 1
    return turns

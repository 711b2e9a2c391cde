"""Plays games in this process with the simulator's own types, and says how long that took."""

import random
import time
from typing import NoReturn

from light import Light
from simulator import AgentState, Counter, Data, Deck, GameState, Rule, Table, Trash

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
    """One game with open cards; returns how many turns it had."""
    rule = Rule(AGENTS)
    cards = [(c, n) for c in range(5) for n in range(5) for _ in range(rule.numNumber[n])]
    random.shuffle(cards)
    hands = [AgentState([cards.pop() for _ in range(rule.numCard)]) for _ in range(AGENTS)]
    deck = Deck(Counter(cards), len(cards))
    state = GameState(rule, Data(deck, rule.numClue, Table(), Trash(), hands))
    agents = [Light(index) for index in range(AGENTS)]
    for agent in agents:
        agent.registerInitialState(state)
    turns = 0
    while not state.isEnd():
        turn(state, agents, turns % AGENTS, cards)
        turns += 1
    return turns


def turn(state: GameState, agents: list[Light], index: int, cards: list[tuple[int, int]]) -> None:
    """One agent acts, and all infer."""
    action = agents[index].getAction(state)
    failed = False
    if action[0] in {"color", "number"}:
        state.clue(action)
    else:
        state.lay(index, action, state.data.agentState[index].cards[action[1]])
        failed = not cards
        if cards:
            state.draw(index, cards.pop())
    state.endTurn(failed=failed)
    for agent in agents:
        agent.inference(state, index, action)

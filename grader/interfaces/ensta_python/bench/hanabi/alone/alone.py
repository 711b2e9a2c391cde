"""Plays games in this process as the course's own loop does, and says how long that took."""

import time
from typing import NoReturn

from light import Light

from hanabi.ai import AI
from hanabi.deck import Card, Game

GAMES = 1000


class Alone(Light):
    """Never gets to play a game of anybody else's."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        measure()


def measure() -> NoReturn:
    """Raises an error that says the result."""
    began = time.perf_counter_ns()
    turns = sum(play() for _ in range(GAMES))
    us = (time.perf_counter_ns() - began) // 1000
    raise RuntimeError(f"alone: {GAMES} games, {turns} turns, {us} us")


def play() -> int:
    """One game, of one agent for all seats; returns how many turns it had."""
    game = Game(2)
    game.quiet = True
    agent, left = Light(game), len(game.players)
    while left and game.red_coins < 3 and game.score < 25:
        left -= not game.deck.cards
        turn(game, agent)
    return len(game.moves)


def turn(game: Game, agent: AI) -> None:
    """The current player's move, and the next one is current."""
    move = agent.play()
    game.moves.append(move)
    if move[0] == "c":
        clue(game, move[1])
    else:
        card = game.current_hand.pop(int(move[1]))
        if move[0] == "d":
            discard(game, card)
        else:
            lay(game, card)
    game.next_player()


def clue(game: Game, said: str) -> None:
    """Tell the next player of a number or a colour."""
    game.blue_coins -= 1
    for card in game.hands[1].cards:
        if said == str(card.number):
            card.number_clue = said
        elif said == str(card.color)[0]:
            card.color_clue = said


def discard(game: Game, card: Card) -> None:
    """Get a coin for a card."""
    game.discard_pile.append(card)
    game.blue_coins = min(game.blue_coins + 1, 8)


def lay(game: Game, card: Card) -> None:
    """Put a card on its pile, or lose a life."""
    assert card.color is not None  # noqa: S101 - nothing is masked here
    if game.piles[card.color] + 1 == card.number:
        game.piles[card.color] += 1
        game.blue_coins = min(game.blue_coins + (card.number == 5), 8)
    else:
        game.red_coins += 1
        game.discard_pile.append(card)

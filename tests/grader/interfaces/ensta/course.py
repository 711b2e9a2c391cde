"""The course's own way to play, for comparison: one agent, one game, all cards face up in it.

Written from the course's rules alone, with nothing of the adapter's: hands are popped and appended
to, coins counted and players rotated by hand. Only the deal is Firebox's.
"""

from typing import Any

from grader.core.deals import shuffled
from grader.core.games.hanabi import DECK
from grader.interfaces.ensta_python.hanabi.deck import Card, Color, Game

LETTERS = {str(color)[0]: color for color in Color}


def play_as_in_the_course(agent_class: Any, players: int, deal_seed: bytes) -> list[str]:
    game = dealt(players, deal_seed)
    game.ai = agent_class(game)
    last_turns = None
    while game.red_coins < 3 and game.score < 25 and last_turns != 0:
        move = game.ai.play()
        game.moves.append(move)
        if not carry_out(game, move):
            continue
        if last_turns is not None:
            last_turns -= 1
        elif not game.deck.cards:
            last_turns = players
        game.players.append(game.players.pop(0))
        game.hands.append(game.hands.pop(0))
    return game.moves


def dealt(players: int, deal_seed: bytes) -> Game:
    game = Game(players)
    game.quiet = True
    game.deck.cards = [Card(LETTERS[card[0]], int(card[1])) for card in shuffled(DECK, deal_seed)]
    for hand in game.hands:
        size = game.deck.cards_by_player[players]
        hand.cards, game.deck.cards = game.deck.cards[:size], game.deck.cards[size:]
    return game


def carry_out(game: Game, move: str) -> bool:
    if move[0] == "c":
        return clued(game, move[1], target(game, move[2:]))
    if move[0] == "d" and game.blue_coins == 8:
        return False
    card = game.hands[0].pop(int(move[1:]))
    if move[0] == "p" and game.piles[card.color] + 1 == card.number:
        game.piles[card.color] += 1
        game.blue_coins += card.number == 5 and game.blue_coins < 8
    else:
        game.discard_pile.append(card)
        game.blue_coins += move[0] == "d"
        game.red_coins += move[0] == "p"
    return True


def target(game: Game, who: str) -> int:
    if not who:
        return 1
    return int(who) if who.isdecimal() else [name[0] for name in game.players].index(who)


def clued(game: Game, what: str, to: int) -> bool:
    touched = [card for card in game.hands[to].cards if what in str(card)]
    if not touched or to == 0 or game.blue_coins == 0:
        return False
    game.blue_coins -= 1
    for card in touched:
        setattr(card, "number_clue" if what.isdecimal() else "color_clue", what)
    return True

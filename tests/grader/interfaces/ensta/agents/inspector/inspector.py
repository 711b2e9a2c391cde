"""Asserts everything that the course's module promises, in every turn of a game it plays badly."""

import copy
import math

import hanabi
from hanabi.deck import Color, Deck, Game, Hand

NAMES = ["Alice", "Benji", "Clara", "Dante", "Elric"]


class Inspector(hanabi.ai.AI):
    def __init__(self, game):
        super().__init__(game)
        assert isinstance(game, Game)
        assert game.ai is None
        assert game.players == NAMES[: len(game.players)]
        assert game.current_player_name == "\033[1mAlice\033[0m"
        assert game.moves == []
        assert all(len(hand) == self.size() for hand in game.hands)
        assert len(game.deck.cards) == 50 - self.size() * len(game.hands)
        assert game.blue_coins == 8
        assert game.red_coins == 0
        assert game.score == 0
        known = [all(card.number in (1, 2, 3, 4, 5) for card in hand.cards) for hand in game.hands]
        assert sum(known) == len(game.hands) - 1
        self.turns = 0
        self.lists = game.players, game.hands, game.moves
        self.hand_of = dict(zip(game.players, game.hands))
        self.kept = {}

    def size(self):
        return Deck.cards_by_player[len(self.game.players)]

    def play(self):
        self.table()
        self.order()
        self.own_cards()
        self.others()
        self.unknown()
        self.turns += 1
        move = self.move()
        kept = list(self.game.current_hand.cards)
        if move[0] != "c":
            kept.pop(int(move[1:]) - 1)
        self.kept[self.game.players[0]] = move, kept
        return move

    def order(self):
        """Cards stay the same objects: the oldest first, the newest appended."""
        game = self.game
        for name, hand in zip(game.players, game.hands):
            assert self.hand_of[name] is hand
        move, kept = self.kept.get(game.players[0], (None, []))
        cards = game.current_hand.cards
        assert all(one is other for one, other in zip(cards, kept))
        if move and move[0] != "c":
            assert len(cards) - len(kept) in (0, 1)
            assert len(cards) > len(kept) or not game.deck.cards

    def table(self):
        game = self.game
        assert (game.players, game.hands, game.moves) == self.lists
        assert game.players is self.lists[0]
        assert game.hands is self.lists[1]
        assert game.ai is self
        start = NAMES.index(game.current_player_name[4:-4])
        used = NAMES[: len(game.players)]
        assert game.players == used[start:] + used[:start]
        assert game.current_hand is game.hands[0]
        assert list(game.piles) == list(Color)
        assert all(0 <= top <= 5 for top in game.piles.values())
        assert 0 <= game.blue_coins <= 8
        assert 0 <= game.red_coins < 3
        assert game.score == sum(game.piles.values())
        assert isinstance(game.discard_pile, Hand)
        held = sum(len(hand) for hand in game.hands)
        gone = len(game.discard_pile) + sum(game.piles.values())
        assert held + gone + len(game.deck.cards) == 50
        assert game.quiet
        assert self.quiet
        game.log("nobody reads this")
        game.examine_piles()
        copied = copy.deepcopy(game)
        assert copied.hands[1].cards == game.hands[1].cards
        assert copied.hands[1].cards[0] is not game.hands[1].cards[0]
        copied.hands[0].pop(1)
        copied.piles[Color.Red] = 4

    def own_cards(self):
        for card in self.game.current_hand.cards:
            assert card.color_clue is False or card.color_clue in tuple("RBGWY")
            assert card.number_clue is False or card.number_clue in tuple("12345")
            if card.color_clue:
                assert str(card.color)[0] == card.color_clue
            else:
                assert card.color is None
                assert math.isnan(self.game.piles[card.color])
            if card.number_clue:
                assert card.number == int(card.number_clue)
            else:
                assert math.isnan(card.number)

    def others(self):
        assert self.other_hands == self.game.hands[1:]
        assert self.other_players_cards == [c for hand in self.other_hands for c in hand.cards]
        for card in self.other_players_cards + self.game.discard_pile.cards:
            assert isinstance(card.color, Color)
            assert card.number in {1, 2, 3, 4, 5}
            assert card == str(card.color)[0] + str(card.number)

    def unknown(self):
        cards = self.game.current_hand.cards
        for number, card in enumerate(cards):
            if card.color is None or math.isnan(card.number):
                assert cards.index(card) == number
        assert all(card.color is None for card in self.game.deck.cards)
        assert all(card.number != card.number for card in self.game.deck.cards)
        assert all(card.color is None for card in self.game.starting_deck.cards)
        assert self.game.last_player is None

    def move(self):
        game, other = self.game, self.other_hands[-1].cards
        last = len(game.hands) - 1
        if game.blue_coins == 8 and other:
            return f"c{other[0].number}{last}"
        if game.blue_coins > 5 and other:
            return f"c{str(other[-1].color)[0]}{game.players[last][0]}"
        if self.turns % 9 == 8 and game.red_coins < 2:
            return f"p{len(game.current_hand)}"
        return "d1"

"""What an agent can see of the course's module, expression by expression, as the course has it."""

import inspect
import sys
from typing import Any, Final

import pytest

from grader.core.records import Mode
from grader.interfaces.ensta_python import hanabi
from tests.grader.interfaces import facts
from tests.grader.interfaces.ensta.playing import BOXED, files_of, play_one, request

BOLD: Final = "\x1b[1mAlice\x1b[0m"
FACTS: Final[dict[str, str]] = {
    # Colours.
    "[str(color) for color in Color]": "['Red', 'Blue', 'Green', 'White', 'Yellow']",
    "[color.value for color in Color]": "[31, 34, 32, 37, 33]",
    "[color.name for color in Color]": "['Red', 'Blue', 'Green', 'White', 'Yellow']",
    "repr(Color.Red)": "Color.Red",
    "list(Color)": "[Color.Red, Color.Blue, Color.Green, Color.White, Color.Yellow]",
    "{Color.Red: 1}": "{Color.Red: 1}",
    "f'{Color.White}'": "White",
    "Color(34)": "Blue",
    "Color['Green']": "Green",
    "Color.Red is Color(31)": "True",
    "Color.Red == 31": "False",
    "len(Color)": "5",
    "isinstance(Color.Red, Enum)": "True",
    "repr(Color.Red.colorize('R3'))": r"'\x1b[31mR3\x1b[0m'",
    "repr(Color.Yellow.colorize('a', 1, None))": r"'\x1b[33ma 1 None\x1b[0m'",
    "repr(Color.Blue.colorize())": r"'\x1b[34m\x1b[0m'",
    # Cards.
    "Card(Color.Red, 3)": "R3",
    "repr(Card(Color.Red, 3))": "Card(Color.Red, 3)",
    "[Card(Color.Red, 3)]": "[Card(Color.Red, 3)]",
    "Card(Color.White, 5).color": "White",
    "Card(Color.White, 5).number": "5",
    "Card(Color.Red, 3).color_clue": "False",
    "Card(Color.Red, 3).number_clue": "False",
    "sorted(vars(Card(Color.Red, 3)))": "['color', 'color_clue', 'number', 'number_clue']",
    "Card('R', 4)": "R4",
    "Card(Color.Red, 0)": "AssertionError",
    "Card(Color.Red, 6)": "AssertionError",
    "Card()": "TypeError",
    "Card(color=Color.Blue, number=1)": "B1",
    "Card(Color.Red, 3) == 'R3'": "True",
    "'R3' == Card(Color.Red, 3)": "True",
    "Card(Color.Red, 3) == 'R4'": "False",
    "Card(Color.Red, 3) != 'R4'": "True",
    "Card(Color.Red, 3) == Card(Color.Red, 3)": "True",
    "Card(Color.Red, 3) == Card(Color.Blue, 3)": "False",
    "Card(Color.Red, 3) == Card('R', 3)": "True",
    "Card(Color.Red, 3) == 3": "False",
    "Card(Color.Red, 3) == None": "False",
    "Card(Color.Red, 3) in ['B1', 'R3']": "True",
    "['B1', 'R3'].index(Card(Color.Red, 3))": "1",
    "[Card(Color.Red, 3), Card(Color.Red, 3)].count('R3')": "2",
    "hash(Card(Color.Red, 3))": "TypeError",
    "{Card(Color.Red, 3)}": "TypeError",
    "Card(Color.Red, 3) < Card(Color.Red, 4)": "TypeError",
    "repr(Card(Color.Red, 3).str_color())": r"'\x1b[31mR3\x1b[0m'",
    "repr(Card(Color.Yellow, 1).str_color())": r"'\x1b[33mY1\x1b[0m'",
    "Card(Color.Red, 3).str_clue()": "**",
    "card = Card(Color.Red, 3); card.color_clue = 'R'; card.str_clue()": "R*",
    "card = Card(Color.Red, 3); card.number_clue = '3'; card.str_clue()": "*3",
    "card = Card(Color.Red, 3); card.color_clue, card.number_clue = 'R3'; card.str_clue()": "R3",
    "card = Card(Color.Red, 3); card.memo = 7; card.memo": "7",
    "card = Card(Color.Red, 3); copies.copy(card) is card": "False",
    "card = Card(Color.Red, 3); copies.deepcopy(card) == card": "True",
    # Hands.
    "len(Hand(Deck()))": "5",
    "len(Hand(Deck(), 4))": "4",
    "repr(str(Hand(Deck(), 2)))": r"'\x1b[31mR1\x1b[0m \x1b[31mR1\x1b[0m'",
    "hand = Hand(Deck()); repr(hand) == str(hand)": "True",
    "Hand(Deck()).str_clue()": "** ** ** ** **",
    "shown(Hand(Deck()).cards)": "R1 R1 R1 B1 B1",
    "iter(Hand(Deck()))": "TypeError",
    "Hand(Deck())[0]": "TypeError",
    "Card(Color.Red, 1) in Hand(Deck())": "TypeError",
    "bool(Hand(Deck(), 0))": "False",
    "Hand(Deck()).pop(4)": "B1",
    "hand = Hand(Deck()); hand.pop(1); shown(hand.cards)": "R1 R1 B1 B1 B1",
    "hand = Hand(Deck()); first = hand.cards[0]; hand.pop(1) is first": "True",
    "deck = Deck(); hand = Hand(deck); hand.pop(1); len(deck.cards)": "44",
    "hand = Hand(Deck(Deck().cards[:5])); hand.pop(5); shown(hand.cards)": "R1 R1 R1 B1",
    "Hand(Deck()).pop(0)": "ValueError",
    "Hand(Deck()).pop(6)": "ValueError",
    "Hand(Deck()).pop(-1)": "ValueError",
    "Hand(Deck(), 0).pop(1)": "ValueError",
    "hand = Hand(Deck()); hand.append(Card(Color.White, 5)); hand.cards[-1]": "W5",
    "hand = Hand(Deck()); hand.append(Card(Color.White, 5)); len(hand)": "6",
    "hand = Hand(Deck()); hand.append(Card(Color.White, 5)); hand.pop(6)": "W5",
    "hand = Hand(Deck()); hand.sort(); shown(hand.cards)": "B1 B1 R1 R1 R1",
    "Hand(Deck()).sort()": "None",
    "Hand(Deck()).append(Card(Color.White, 5))": "None",
    # The deck.
    "len(Deck().cards)": "50",
    "shown(Deck().cards[:16])": "R1 R1 R1 B1 B1 B1 G1 G1 G1 W1 W1 W1 Y1 Y1 Y1 R2",
    "shown(Deck().cards[-6:])": "Y4 R5 B5 G5 W5 Y5",
    "repr(str(Deck(Deck().cards[:2])))": r"'\x1b[31mR1\x1b[0m \x1b[31mR1\x1b[0m'",
    "repr(Deck(Deck().cards[:2]))": "[Card(Color.Red, 1), Card(Color.Red, 1)]",
    "Deck().card_count": "{1: 3, 2: 2, 3: 2, 4: 2, 5: 1}",
    "Deck.card_count": "{1: 3, 2: 2, 3: 2, 4: 2, 5: 1}",
    "Deck.cards_by_player": "{2: 5, 3: 5, 4: 4, 5: 4}",
    "Deck().draw()": "R1",
    "deck = Deck(); first = deck.cards[0]; deck.draw() is first": "True",
    "deck = Deck(); deck.draw(); len(deck.cards)": "49",
    "Deck([]).draw()": "IndexError",
    "len(Deck())": "TypeError",
    "bool(Deck([]))": "True",
    "[len(hand) for hand in Deck().deal(2)]": "[5, 5]",
    "[len(hand) for hand in Deck().deal(5)]": "[4, 4, 4, 4, 4]",
    "[shown(hand.cards) for hand in Deck().deal(2)]": "['R1 R1 R1 B1 B1', 'B1 G1 G1 G1 W1']",
    "Deck().deal(6)": "KeyError: 6",
    "Deck().deal(1)": "KeyError: 1",
    "deck = Deck(); deck.deal(3)[0].deck is deck": "True",
    "deck = Deck(); deck.shuffle(); len(deck.cards)": "50",
    "deck = Deck(); deck.shuffle(); sorted(map(str, deck.cards)) == sorted(map(str, Deck().cards))":
        "True",
    # A new game.
    "Game(2).players": "['Alice', 'Benji']",
    "Game(5).players": "['Alice', 'Benji', 'Clara', 'Dante', 'Elric']",
    "Game(players=3, multi=False).players": "['Alice', 'Benji', 'Clara']",
    "Game().players": "['Alice', 'Benji']",
    "Game(['Ada', 'Ben']).players": "['Ada', 'Ben']",
    "list(Game.Players)": "['Alice', 'Benji', 'Clara', 'Dante', 'Elric']",
    "repr(Game(2).current_player_name)": repr(BOLD),
    "Game(2).current_player_name[4:-4]": "Alice",
    "Game(['Ada', 'Ben']).current_player_name[4:-4]": "Ada",
    "Game(2).current_player": "0",
    "Game(3).other_player": "1",
    "Game(2).quiet": "False",
    "Game(2).ai": "None",
    "Game(2).last_player": "None",
    "Game(2).moves": "[]",
    "Game(2).blue_coins": "8",
    "Game(2).red_coins": "0",
    "Game(2).score": "0",
    "Game(2).piles": "{Color.Red: 0, Color.Blue: 0, Color.Green: 0, Color.White: 0,"
        " Color.Yellow: 0}",
    "Game(2).score = 3; 0": "AttributeError",
    "sorted(Game(2).actions)": "['>', '?', 'c', 'd', 'l', 'p', 'x']",
    "list(Game(2).actions)": "['d', 'p', 'c', 'x', 'l', '>', '?']",
    "made = game(); made.actions['d'] == made.discard": "True",
    "made = game(); made.actions['p'] == made.play": "True",
    "made = game(); made.actions['c'] == made.clue": "True",
    "made = game(); made.actions['x'] == made.examine_piles": "True",
    "made = game(); made.actions['l'] == made.load": "True",
    "[len(hand) for hand in Game(4).hands]": "[4, 4, 4, 4]",
    "len(Game(3).deck.cards)": "35",
    "made = game(); made.current_hand is made.hands[0]": "True",
    "isinstance(Game(2).discard_pile, Hand)": "True",
    "len(Game(2).discard_pile)": "0",
    "Game(2).discard_pile.deck": "None",
    "isinstance(Game(2).deck, Deck)": "True",
    "len(Game(2).starting_deck.cards)": "50",
    "made = Game(2); shown(made.starting_deck.cards[:5]) == shown(made.hands[0].cards)": "True",
    "made = Game(2); made.starting_deck.cards[0] is made.hands[0].cards[0]": "False",
    "made = Game(2); made.starting_deck is made.deck": "False",
    "shown(game().hands[0].cards)": "R1 R1 R1 B1 B1",
    "shown(game().hands[1].cards)": "B1 G1 G1 G1 W1",
    "made = game(); made.hands[0].deck is made.deck": "True",
    "made = game(); made.moves.append('d1'); made.reset(3); (made.moves, len(made.hands))":
        "([], 3)",
    "made = game(); made.quiet = True; made.reset(); made.quiet": "True",
    # What it prints.
    "made = game(); made.quiet = False; printed(made.log, 'a', 1)": "a 1\n",
    "made = game(); made.quiet = False; printed(lambda: made.log('a', 1, sep='-', end='.'))":
        "a-1.",
    "printed(game().log, 'a')": "",
    "printed(game().print_piles)": "",
    "game().log('a')": "None",
    "game().examine_piles()": "None",
    "game().examine_piles('')": "None",
    "game().print_piles()": "None",
    "made = game(); made.quiet = False; printed(made.print_piles) != ''": "True",
    # Coins.
    "game().add_blue_coin()": "ValueError",
    "made = game(); made.remove_blue_coin(); made.blue_coins": "7",
    "game(blue_coins=0).remove_blue_coin()": "ValueError",
    "made = game(blue_coins=3); made.add_blue_coin(); made.blue_coins": "4",
    "made = game(); made.add_red_coin(); made.red_coins": "1",
    "game(red_coins=2).add_red_coin()": "StopIteration",
    "made = game(red_coins=2); ended(made, 'p4', 'p1'); made.red_coins": "3",
    # The next player.
    "made = game(3); made.next_player(); made.players": "['Benji', 'Clara', 'Alice']",
    "made = game(3); made.next_player(); shown(made.hands[0].cards)": "B1 G1 G1 G1 W1",
    "made = game(3); hands = made.hands; made.next_player(); made.hands is hands": "True",
    "made = game(3); names = made.players; made.next_player(); made.players is names": "True",
    "made = game(3); made.next_player(); made.current_player_name[4:-4]": "Benji",
    "made = game(3); made.next_player(); made.current_player": "0",
    # Discards.
    "made = game(blue_coins=3); made.discard('1'); made.blue_coins": "4",
    "made = game(blue_coins=3); made.discard('4'); shown(made.discard_pile.cards)": "B1",
    "made = game(blue_coins=3); made.discard(''); shown(made.hands[0].cards)": "R1 R1 B1 B1 W1",
    "made = game(blue_coins=3); made.discard(' '); len(made.discard_pile)": "1",
    "made = game(blue_coins=3); made.discard(' 3 '); len(made.discard_pile)": "1",
    "game().discard('1')": "ValueError",
    "game(blue_coins=3).discard('6')": "ValueError",
    "game(blue_coins=3).discard('x')": "ValueError",
    "made = game(blue_coins=3); [made.discard('1') for _ in range(4)];"
    " shown(made.discard_pile.cards)": "B1 R1 R1 R1",
    # Plays.
    "made = game(); made.play('1'); made.piles[Color.Red]": "1",
    "made = game(); made.play('1'); made.score": "1",
    "made = game(); made.play('1'); len(made.hands[0])": "5",
    "made = game(); made.play(' 4'); made.piles[Color.Blue]": "1",
    "made = game(); made.play('1'); made.play('1'); made.red_coins": "1",
    "made = game(); [made.play(i) for i in '114']; shown(made.discard_pile.cards)": "R1",
    "game().play('')": "ValueError",
    "game().play('0')": "ValueError",
    "game().play('6')": "ValueError",
    "made = game(blue_coins=3); made.piles[Color.Red] = 4;"
    " made.hands[0].cards[0] = Card(Color.Red, 5); made.play('1'); made.blue_coins": "4",
    "made = game(); made.piles[Color.Red] = 4;"
    " made.hands[0].cards[0] = Card(Color.Red, 5); made.play('1'); made.blue_coins": "8",
    "made = game(red_coins=2); made.play('1'); made.play('1')": "StopIteration",
    "made = game(red_coins=2); made.piles[Color.Red] = 3; made.score": "3",
    "made = game(red_coins=3); made.piles[Color.Red] = 3; made.score": "0",
    # Clues.
    "made = game(); made.clue('1'); clues(made.hands[1])[0]": "(False, '1')",
    "made = game(); made.clue('g'); clues(made.hands[1])": "[(False, False), ('G', False),"
        " ('G', False), ('G', False), (False, False)]",
    "made = game(); made.clue('B'); made.hands[1].str_clue()": "B* ** ** ** **",
    "made = game(); made.clue('1'); made.blue_coins": "7",
    "made = game(3); made.clue('1C'); made.hands[2].str_clue()": "*1 *1 *1 *1 *1",
    "made = game(3); made.clue('Y2'); made.hands[2].str_clue()": "** ** Y* Y* Y*",
    "made = game(3); made.clue('1Benji'); made.hands[1].str_clue()": "*1 *1 *1 *1 *1",
    "made = game(3); made.clue('12345'); made.hands[2].str_clue()": "*1 *1 *1 *1 *1",
    "game().clue('')": "IndexError",
    "game().clue('6')": "ValueError",
    "game().clue('X')": "ValueError",
    "game().clue('5')": "ValueError",
    "game().clue('1A')": "ValueError: Cannot give a clue to yourself.",
    "game().clue('10')": "ValueError: Cannot give a clue to yourself.",
    "game().clue('1E')": "ValueError",
    "game().clue('1b')": "ValueError",
    "game().clue('1x')": "ValueError",
    "game().clue('Red')": "ValueError",
    "game().clue('12')": "IndexError",
    "game(blue_coins=0).clue('1')": "ValueError",
    "made = game(); told_of = [told(f'made.clue({clue!r})', {'made': made})"
    " for clue in ('', '6', '5', '1A', '10')]; made.blue_coins": "8",
    "made = game(); told_of = [told(f'made.clue({clue!r})', {'made': made})"
    " for clue in ('1E', '1b', '1x', 'Red', '12')]; made.blue_coins": "3",
    "made = game(); made.clue('1'); made.hands[1].pop(1); made.hands[1].str_clue()":
        "*1 *1 *1 *1 **",
    # Turns.
    "after('c1').players": "['Benji', 'Alice']",
    "after('c1', 'd').moves": "['c1', 'd']",
    "after('c1', 'd').blue_coins": "8",
    "after('c1', 'd ').blue_coins": "8",
    "after('cg').hands[0].str_clue()": "** G* G* G* **",
    "after('p1').score": "1",
    "after('p1', 'p2', 'p2').red_coins": "1",
    "after('d1').moves": "['d1']",
    "after('d1').players": "['Alice', 'Benji']",
    "after('z1').moves": "['z1']",
    "after('D1').players": "['Alice', 'Benji']",
    "after('').moves": "['']",
    "after('c1E').blue_coins": "7",
    "after('c1E').players": "['Alice', 'Benji']",
    "after('x').players": "['Alice', 'Benji']",
    "after('x').moves": "['x']",
    "made = game(); made.turn(['d1', 'z', 'c1', 'p1']); made.moves": "['d1', 'z', 'c1']",
    "made = game(); made.turn(['d1', 'x', 'p1']); made.players": "['Benji', 'Alice']",
    "choices = ['d1', 'c1', 'p1']; game().turn(choices); choices": "['p1']",
    "made = game(); made.turn(Scripted(made, 'd1', 'c1', 'p1')); made.moves": "['d1', 'c1']",
    "made = game(); made.turn(Scripted(made)); 0": "StopIteration",
    "made = game(); made.turn(Scripted(made, end=EOFError)); 0": "EOFError",
    "game().turn(7)": "AttributeError",
    "made = game(); made.turn(Scripted(made, None)); 0": "TypeError",
    "made = game(); made.turn(Scripted(made, 7)); 0": "TypeError",
    "made = game(red_coins=2); ended(made, 'p1', 'p2', 'p3', 'p2')": "StopIteration",
    "made = game(red_coins=2); ended(made, 'p1', 'p2', 'p2'); made.players": "['Alice', 'Benji']",
    "made = game(quiet=False); printed(made.turn, 'z1')":
        "'z' is not a valid action. Try again.\n",
    "made = game(quiet=False); printed(made.turn, 'd1').endswith('Try again.\\n')": "True",
    "made = game(); made.deck.cards[:] = []; ended(made, 'c1', 'd1', 'c1')": "StopIteration",
    "made = game(); made.deck.cards[1:] = []; made.blue_coins = 4;"
    " ended(made, 'd1', 'd1', 'd1'); made.last_player": "None",
    # Whole games.
    "made = scripted('c1', 'p1'); made.run(); made.moves": "['c1', 'p1']",
    "made = scripted('c1', 'p2', 'p1'); made.run(); made.score": "2",
    "made = scripted('p1', end=EOFError); made.run(); made.score": "1",
    "made = scripted('p1', end=KeyboardInterrupt); made.run(); made.score": "1",
    "made = scripted('p1', end=KeyError); made.run()": "KeyError",
    "made = scripted('p1'); made.quiet = False; printed(made.run).endswith("
    "'\\nGoodbye. Your score is 1\\n')": "True",
    "made = scripted(*['p4', 'p1'] * 9); made.run(); made.red_coins": "3",
    "made = scripted(*['p4', 'p1'] * 9); made.run(); made.score": "0",
    # Copies.
    "made = game(); twin = copies.deepcopy(made); twin.turn('p1'); (made.score, twin.score)":
        "(0, 1)",
    "made = game(); twin = copies.deepcopy(made); twin.actions['p']('1'); made.score": "0",
    "made = game(); twin = copies.deepcopy(made); twin.actions['p']('1'); twin.score": "1",
    # The base class, and the modules.
    "made = game(3); shown(AI(made).other_players_cards)": "B1 G1 G1 G1 W1 W1 W1 Y1 Y1 Y1",
    "made = game(3); AI(made).other_hands == made.hands[1:]": "True",
    "made = game(); AI(made).game is made": "True",
    "made = game(3); type(AI(made).other_players_cards).__name__": "list",
    "hasattr(AI(game()), 'quiet')": "False",
    "issubclass(Cheater, AI)": "True",
    "(hanabi.deck.Card is Card, hanabi.ai.AI is AI, hanabi.Game is Game)": "(True, True, True)",
    "(hanabi.Deck is Deck, hanabi.Hand is Hand, hanabi.Color is Color)": "(True, True, True)",
    "len(hanabi.ascii_art.fireworks)": "6",
    "[type(text).__name__ for text in hanabi.ascii_art.fireworks]": str(["str"] * 6),
    "type(hanabi.ascii_art.kaboom).__name__": "str",
    **{
        f"exec('from hanabi.deck import *', names := {{}}); {name!r} in names": "True"
        for name in (
            *("Card", "Color", "Deck", "Enum", "Game", "Hand", "ai", "ascii_art", "copy", "os"),
            *("random", "readline", "unique"),
        )
    },
    **{
        f"exec('from hanabi.ai import *', names := {{}}); {name!r} in names": "True"
        for name in ("AI", "Cheater", "itertools", "random")
    },
    "import types; exec('from hanabi.deck import *', names := {}); sorted(set(names) - {"
    "'Card', 'Color', 'Deck', 'Enum', 'Game', 'Hand', 'ai', 'ascii_art', 'copy', 'os', 'random',"
    " 'readline', 'unique', '__builtins__'})": "[]",
    "hasattr(hanabi.deck, '__all__'), hasattr(hanabi.ai, '__all__'), hasattr(hanabi, '__all__')":
        "(False, False, False)",
}  # fmt: skip

AT_THE_TABLE: Final[dict[str, str]] = {
    "repr(self.game.current_player_name)": repr(BOLD),
    "self.game.current_player_name[4:-4] == self.game.players[0]": "True",
    "self.quiet, self.game.quiet": "(True, True)",
    "self.game.current_player, self.game.other_player": "(0, 1)",
    "self.game.ai is self": "True",
    "self.game.last_player": "None",
    "self.game.current_hand is self.game.hands[0]": "True",
    "self.game.blue_coins, self.game.red_coins, self.game.score": "(8, 0, 0)",
    "isinstance(self.game, Game), isinstance(self.game.deck, Deck)": "(True, True)",
    "len(self.game.starting_deck.cards), len(self.game.deck.cards)": "(50, 40)",
    "sorted(self.game.actions)": "['>', '?', 'c', 'd', 'l', 'p', 'x']",
    # Hidden cards are masked, in deep copies, too.
    "[card.color for card in self.game.current_hand.cards]": str([None] * 5),
    "[card.number for card in self.game.current_hand.cards]": str([float("nan")] * 5),
    "{card.color for card in self.game.deck.cards}": "{None}",
    "{card.color for card in self.game.starting_deck.cards}": "{None}",
    "twin = copies.deepcopy(self.game); {c.color for c in twin.hands[0].cards + twin.deck.cards}":
        "{None}",
    "str(self.game.current_hand)": "?? ?? ?? ?? ??",
    "repr(self.game.current_hand.cards[0])": "Card(None, nan)",
    "self.game.current_hand.str_clue()": "** ** ** ** **",
    # Copies are the agent's own games; Firebox's is not played by it.
    "self.game.turn('c1'); self.game.moves": "[]",
    "self.game.run(); self.game.moves": "[]",
    "twin = copies.deepcopy(self.game); number = twin.hands[1].cards[0].number;"
    " twin.turn(f'c{number}'); (twin.players, twin.blue_coins)": "(['Benji', 'Alice'], 7)",
    "twin = copies.deepcopy(self.game); number = twin.hands[1].cards[0].number;"
    " twin.turn(f'c{number}'); twin.turn('d1'); {card.color for card in twin.hands[0].cards}":
        "{None}",
    "twin = copies.deepcopy(self.game); twin.turn('p1'); twin.red_coins": "1",
    "twin = copies.deepcopy(self.game); twin.ai = Scripted(twin, 'p1', 'd1'); twin.run();"
        " twin.moves": "['p1', 'd1']",
    "self.game.players, self.game.blue_coins, self.game.red_coins": "(['Alice', 'Benji'], 8, 0)",
    "input()": "EOFError",
    "game().turn()": "EOFError",
    "game().turn(None)": "EOFError",
}  # fmt: skip
"""In the first turn of a real game of two, where ``self`` is the agent."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the expressions use, with our module under the name that agents import."""
    modules = {"hanabi": hanabi}
    modules |= {f"hanabi.{name}": getattr(hanabi, name) for name in ("ai", "ascii_art", "deck")}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    scope: dict[str, Any] = {"told": facts.told, "printed": facts.printed}
    exec(files_of("asker")["names.py"], scope)  # noqa: S102 - our own text
    return scope


def test_the_module_is_the_courses(names: dict[str, Any]) -> None:
    found = facts.differences(FACTS, names)
    print(f"{len(FACTS)} facts compared, {len(found)} different")
    assert found == []


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize("mode", list(Mode))
def test_the_module_is_the_courses_for_an_agent_in_the_sandbox(mode: Mode) -> None:
    files = {
        **files_of("asker"),
        "facts.py": inspect.getsource(facts),
        "asked.py": f"FACTS = {FACTS!r}\nAT_THE_TABLE = {AT_THE_TABLE!r}\n",
    }
    result = play_one(files, request(1, mode=mode), slot=BOXED)
    print(f"{len(FACTS) + len(AT_THE_TABLE)} facts compared")
    assert result.record.fault is None, result.evidence

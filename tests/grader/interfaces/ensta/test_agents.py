"""Whole games of agents that use every part of the course's module, in both modes."""

from pathlib import Path
from statistics import fmean

import pytest

import grader.interfaces
from grader.core.records import FaultKind, GameResult, Mode
from grader.interfaces.ensta_python.firebox_ensta.cards import names_by_letter
from grader.play.batch import open_batch
from tests.grader.interfaces.ensta.playing import (
    BOXED,
    OLD_ERA,
    files_of,
    play,
    play_one,
    request,
    robot,
)
from tests.support.archives import archive
from tests.support.slots import UNCONFINED

pytestmark = [pytest.mark.usefixtures("warm_sandboxes"), pytest.mark.slow]

ENSTA = Path(grader.interfaces.__file__).parent / "ensta_python"
HONEST = ("careful", "inspector", "own_package", "own_files")
TEAM_ONLY = ("shares_memory", "marks_cards")


def games(agent: str, *, players: int, mode: Mode, count: int = 4) -> list[GameResult]:
    results = play(files_of(agent), request(count, players=players, mode=mode))
    assert len(results) == count
    return results


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("agent", [*HONEST, *TEAM_ONLY])
def test_team_mode_plays_every_agent(agent: str, players: int) -> None:
    results = games(agent, players=players, mode=Mode.TEAM)
    assert [result.record.fault for result in results] == [None] * len(results)
    assert {result.record.mode for result in results} == {Mode.TEAM}
    if agent != "inspector":
        assert fmean(result.record.scores[0] for result in results) > 8


@pytest.mark.parametrize("agent", ["careful", "own_package", "own_files"])
def test_an_agent_without_shared_state_plays_the_same_games_in_both_modes(agent: str) -> None:
    team, seat = (games(agent, players=3, mode=mode) for mode in (Mode.TEAM, Mode.SEAT))
    assert [one.record.actions for one in team] == [one.record.actions for one in seat]
    assert {one.record.mode for one in seat} == {Mode.SEAT}


@pytest.mark.parametrize("players", [2, 4])
def test_seat_mode_keeps_every_promise_of_the_module(players: int) -> None:
    results = games("inspector", players=players, mode=Mode.SEAT)
    assert [result.record.fault for result in results] == [None] * len(results)


@pytest.mark.parametrize("agent", TEAM_ONLY)
def test_shared_state_is_missing_in_seat_mode(agent: str) -> None:
    for result in games(agent, players=2, mode=Mode.SEAT):
        assert result.record.fault is None
        assert result.record.scores == (0, 0)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_agent_that_looks_at_hidden_cards_finds_nothing(mode: Mode) -> None:
    for result in games("cheater", players=2, mode=mode):
        assert result.record.fault is None
        assert result.record.scores == (0, 0)


def test_an_agent_that_forbids_quiet_plays() -> None:
    files = robot("assert not self.quiet")
    files["robot.py"] += "\nRobot.quiet = property(lambda self: False)\n"
    assert play_one(files).record.fault is None


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("error", ["StopIteration", "KeyboardInterrupt", "EOFError"])
def test_an_exception_that_ends_the_courses_game_ends_it_with_its_score(
    error: str, mode: Mode
) -> None:
    careful = files_of("careful")["robot.py"]
    ending = careful.replace("def play(self):", "def honest_play(self):", 1) + (
        "\n    def play(self):\n"
        f"        if len(self.game.moves) >= 20:\n            raise {error}\n"
        "        return self.honest_play()\n"
    )
    asked = request(1, mode=mode)
    result, reference = (
        play_one({"robot.py": ending}, asked),
        play_one({"robot.py": careful}, asked),
    )
    actions, whole = (each.record.actions.split() for each in (result, reference))
    assert result.record.fault is None, result.evidence
    assert actions[:20] == whole[:20]
    assert {action[0] for action in actions[20:]} == {"d", "h"}
    assert 0 < result.record.scores[0] < reference.record.scores[0]
    assert result.record.ending == "deck_out"


def test_other_exceptions_out_of_play_are_faults() -> None:
    for error in ("KeyError", "SystemExit", "GeneratorExit"):
        fault = play_one(robot(f"raise {error}")).record.fault
        assert fault is not None
        assert (fault.turn, fault.kind) == (0, FaultKind.CRASH)


LOSING = """
game = self.game
first = game.hands[1].cards[0].number
self.seen = [*getattr(self, "seen", []), game.blue_coins]
if len(self.seen) == 1: return f"c{first}"
if len(self.seen) < 10: return "cRE" if len(self.seen) % 2 else "cRb"
if len(self.seen) == 10:
    assert self.seen == [8, 7, 6, 5, 4, 3, 2, 1, 0, 0], self.seen
    return f"c{first}"
if len(self.seen) == 11:
    assert game.blue_coins == 0
    return "d1"
if len(self.seen) == 12:
    assert game.blue_coins == 1 and game.moves[-1] == "d1", (game.blue_coins, game.moves)
    return "d1"
if len(self.seen) == 13:
    assert game.blue_coins == 8 and len(game.moves) == 12, (game.blue_coins, game.moves)
"""


def test_a_clue_for_nobody_costs_its_coin_until_the_referee_has_all() -> None:
    """It has 8 after the first discard: the second one cannot be, and the coins are back."""
    result = play_one(robot(LOSING), request(1, mode=Mode.TEAM))
    assert result.record.fault is None, result.evidence
    assert result.record.actions.split()[1] == "d0"


@pytest.mark.parametrize("clue", ["c", "c6", "cX", "", "D1", "c1A", "cR0"])
def test_other_moves_that_are_not_valid_cost_nothing(clue: str) -> None:
    files = robot(f"if not self.game.moves: return {clue!r}", "assert self.game.blue_coins > 6")
    (result,) = play(files)
    assert result.record.fault is None, result.evidence


def test_moves_that_are_not_valid_are_asked_again() -> None:
    for result in games("stubborn", players=3, mode=Mode.TEAM):
        assert result.record.fault is None
        assert result.record.actions.startswith("h1")


def test_a_move_that_is_refused_again_and_again_is_illegal_and_named() -> None:
    (result,) = play(robot("return 'd0'"), request(1))
    assert result.record.fault is not None
    assert result.record.fault.kind is FaultKind.ILLEGAL
    assert result.record.fault.detail.startswith("refused: 'd0': there are cards 1 to 5")


@pytest.mark.parametrize(
    ("asked", "mode"),
    [(None, Mode.SEAT), (Mode.SEAT, Mode.SEAT), (Mode.TEAM, Mode.TEAM)],
)
def test_different_agents_share_a_table_and_no_process(asked: Mode | None, mode: Mode) -> None:
    table = request(2, seating=(0, 1, 0, 1), mode=asked)
    results = play(files_of("inspector"), table, files_of("own_files"))
    assert [result.record.fault for result in results] == [None, None]
    assert {result.record.mode for result in results} == {mode}
    processes = sum(memory > 0 for memory in results[0].peak_memory_kib)
    assert processes == (2 if mode is Mode.TEAM else 4)


def test_one_file_of_the_package_is_enough_to_replace_it() -> None:
    own = files_of("own_files")
    files = {f"hanabi/{name}": text for name, text in own.items()}
    (result,), (reference,) = play(files), play(own)
    assert result.record.fault is None
    assert result.record.actions == reference.record.actions


def test_the_agent_may_be_in_a_package_of_its_own() -> None:
    (result,) = play(
        {
            "team/__init__.py": "from .careful import Careful\nMADE_BY = 'us'\n",
            "team/careful.py": files_of("careful")["robot.py"],
            "team/robot.py": "import careful, team\nfrom team.careful import Careful\n"
            "assert team.MADE_BY == 'us' and Careful is careful.Careful is team.Careful\n"
            "class Ours(Careful):\n    pass\n",
        }
    )
    assert result.record.fault is None, result.evidence


def test_a_file_may_play_a_game_of_its_own_when_it_is_run() -> None:
    script = "\ngame = hanabi.Game(2)\ngame.ai = Careful(game)\ngame.run()\nprint(game.score)\n"
    files = {"robot.py": files_of("careful")["robot.py"] + script}
    (result,) = play(files)
    assert result.record.fault is None


def test_changes_to_an_agents_copy_of_the_game_do_not_reach_the_real_one() -> None:
    spoil = (
        "game.piles.clear(); game.blue_coins = 99; game.discard_pile.cards.clear();"
        " game.deck.cards.clear(); game.hands[1].cards.clear()"
    )
    careful = files_of("careful")["robot.py"]
    spoilt = careful.replace("def play(self):", "def honest_play(self):", 1) + (
        "\n    def play(self):\n        move = self.honest_play()\n        game = self.game\n"
        f"        {spoil}\n        return move\n"
    )
    (played,), (reference,) = play({"robot.py": spoilt}), play({"robot.py": careful})
    assert played.record.actions == reference.record.actions


def test_cards_that_an_agent_adds_to_its_hand_are_there_in_its_next_turn() -> None:
    files = robot(
        "own = self.game.current_hand.cards",
        "if not any(card.number == 9 for card in own):",
        "    assert len(self.game.moves) < 2, 'the card has gone'",
        "    own.append(hanabi.deck.Card(hanabi.deck.Color.Red, 1))",
        "    own[-1].number = 9",
        "at = [card.number == 9 for card in own].index(True) + 1",
        "assert len(own) == 6",
        "if len(self.game.moves) >= 7: return f'd{at}'",
        "return f'c{min(card.number for card in self.game.hands[1].cards)}'",
    )
    (result,) = play(files)
    assert result.record.fault is not None
    assert result.record.fault.turn == 7
    assert result.record.fault.detail.startswith("refused: 'd6': card 6 is none of the game's")


def test_what_an_agent_does_to_deck_moves_and_players_is_there_in_its_next_turn() -> None:
    files = robot(
        "game = self.game",
        "if not game.moves:",
        "    self.mine = hanabi.deck.Card(hanabi.deck.Color.Red, 1)",
        "    game.deck.cards.append(self.mine)",
        "    game.discard_pile.cards.append(self.mine)",
        "    game.moves.append('mine')",
        "    game.players.append('Nobody')",
        "    game.owner = self",
        "assert game.deck.cards[-1] is self.mine",
        "assert any(card is self.mine for card in game.discard_pile.cards)",
        "assert game.moves[0] == 'mine' and game.owner is self",
        "assert sorted(game.players) == ['Alice', 'Benji', 'Nobody'], game.players",
    )
    (result,) = play(files)
    assert result.record.fault is None, result.evidence
    assert len(result.record.actions.split()) > 40


def test_an_agent_that_sorts_its_hand_means_the_cards_as_they_lie() -> None:
    files = robot(
        "own = self.game.current_hand.cards",
        "self.ages = getattr(self, 'ages', [])",
        "self.ages += [card for card in own if not any(card is old for old in self.ages)]",
        "own.sort(key=lambda card: [card is old for old in self.ages].index(True), reverse=True)",
        "if self.game.blue_coins < 8: return f'd{len(own)}'",
    )
    (result,) = play(files, request(1, mode=Mode.SEAT))
    assert result.record.fault is None, result.evidence
    assert set(result.record.actions.split()) <= {
        "d0",
        *(f"h{to}{n}" for to in "01" for n in "12345"),
    }


def renamed(*names: str) -> dict[str, str]:
    deck = (ENSTA / "hanabi" / "deck.py").read_text()
    first, last = deck.index("    Red = 31"), deck.index("    def __str__")
    members = "".join(f"    {name} = {31 + at}\n" for at, name in enumerate(names))
    files = robot(
        "card = self.game.hands[1].cards[0]",
        "if self.game.blue_coins == 8: return f'c{str(card.color)[0].lower()}'",
        "assert set(self.game.piles) == set(hanabi.deck.Color)",
    )
    return {**files, "hanabi/deck.py": f"{deck[:first]}{members}\n{deck[last:]}",
            "hanabi/ai.py": (ENSTA / "hanabi" / "ai.py").read_text(),
            "hanabi/__init__.py": (ENSTA / "hanabi" / "__init__.py").read_text()}  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [
        ("Red", "Blue", "Green", "Purple", "Yellow"),
        ("Green", "Yellow", "White", "Red", "Blue"),
        ("Red", "Blue", "Green", "White", "Yellow", "Multicolor"),
        ("Amber", "Cyan", "Lime", "Mauve", "Teal"),
    ],
)
def test_a_deck_with_colours_of_its_own_is_played(names: tuple[str, ...]) -> None:
    (result,) = play(renamed(*names))
    assert result.record.fault is None, result.evidence
    (seen,) = {action[2] for action in result.record.actions.split()[:1]}
    assert seen in "RBGWY"


def test_of_two_colours_with_one_letter_the_first_is_the_courses() -> None:
    names = names_by_letter(("Red", "Blue", "Green", "White", "Yellow", "Black"))
    assert names["B"] == "Blue"


@pytest.mark.parametrize(
    "names", [("Red", "Blue"), ("Red", "Blue", "Green", "Purple", "Pink", "X")]
)
def test_a_deck_that_is_no_deck_of_this_game_is_refused_at_upload(names: tuple[str, ...]) -> None:
    with open_batch(request(1), [archive(renamed(*names))], UNCONFINED) as batch:
        (message,) = batch.builds[0].messages
    assert message.file == "hanabi/deck.py"
    assert message.text.startswith(f"the deck has the colours {', '.join(names)}: it takes five")


@pytest.mark.parametrize("agent", ["careful", "own_package"])
def test_agents_play_by_the_rules_of_the_old_era(agent: str) -> None:
    results = play(files_of(agent), request(3, **OLD_ERA))
    assert [result.record.fault for result in results] == [None] * 3
    assert {result.record.options["empty_hints"] for result in results} == {True}


def test_in_the_old_era_clues_may_touch_nothing_and_strikes_keep_the_score() -> None:
    old = play(files_of("touches_nothing"), request(10, **OLD_ERA))
    strict = play(files_of("touches_nothing"), request(10))
    assert {result.record.fault for result in [*old, *strict]} == {None}
    assert {result.record.ending for result in [*old, *strict]} == {"strikes"}
    assert sum(result.record.scores[0] for result in old) > 0
    assert sum(result.record.scores[0] for result in strict) == 0
    assert [one.record.actions for one in old] != [one.record.actions for one in strict]


NAMED_LIKE_PYTHONS = {f"{name}.py": f"OWN = {name!r}\n" for name in ("statistics", "queue", "cmd")}
IMPORTING = "import cmd, hanabi, queue, statistics\nOWN = cmd.OWN, queue.OWN, statistics.OWN"
OWN_PACKAGE = {"hanabi/ai.py": files_of("own_package")["hanabi/ai.py"]}


@pytest.mark.parametrize("package", [{}, OWN_PACKAGE], ids=["plain", "with_a_package"])
def test_own_modules_come_before_pythons_of_that_name(package: dict[str, str]) -> None:
    files = robot(top=IMPORTING) | NAMED_LIKE_PYTHONS | package
    assert play_one(files).record.fault is None


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
@pytest.mark.parametrize("package", [{}, OWN_PACKAGE], ids=["plain", "with_a_package"])
def test_own_modules_come_before_pythons_in_the_sandbox(package: dict[str, str]) -> None:
    files = robot(top=IMPORTING) | NAMED_LIKE_PYTHONS | package
    assert play_one(files, slot=BOXED).record.fault is None


def test_a_module_named_like_one_of_pythons_is_not_used_and_a_note_says_so() -> None:
    package = OWN_PACKAGE
    files = robot("raise KeyError(random.OWN)", top="import hanabi, random") | package
    result = play_one(files | {"random.py": "OWN = 1\n", "cmd.py": ""})
    assert result.evidence is not None
    assert "Note: random.py cannot be imported" in result.evidence.stderr

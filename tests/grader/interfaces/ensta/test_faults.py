"""Errors in real sandboxes: whose fault each is, and the message to its student."""

import pytest

from grader.core.records import Evidence, Fault, FaultKind, GameResult, Mode
from tests.grader.interfaces.ensta.playing import (
    BOXED,
    IMPATIENT,
    files_of,
    play,
    play_one,
    request,
    robot,
)

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine", "warm_sandboxes")]


def faulty(result: GameResult) -> tuple[Fault, Evidence]:
    assert result.record.fault is not None
    assert result.evidence is not None
    return result.record.fault, result.evidence


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("agent", ["inspector", "own_package", "own_files"])
def test_agents_play_the_same_games_in_the_sandbox_as_without(agent: str, mode: Mode) -> None:
    files, asked = files_of(agent), request(2, players=3, mode=mode)
    boxed, plain = play(files, asked, slot=BOXED), play(files, asked)
    assert [result.record.fault for result in boxed] == [None, None]
    assert [one.record.actions for one in boxed] == [one.record.actions for one in plain]


@pytest.mark.parametrize("mode", list(Mode))
def test_an_exception_is_the_fault_of_the_seat_in_turn(mode: Mode) -> None:
    files = robot("if self.game.current_player_name[4:-4] == 'Benji':\n    {}['gone']")
    fault, evidence = faulty(play_one(files, request(1, mode=mode), slot=BOXED))
    assert (fault.kind, fault.seat, fault.turn) == (FaultKind.CRASH, 1, 1)
    assert "KeyError" in fault.detail
    assert 'File "robot.py", line 6, in play' in evidence.stderr
    assert "hanabi" not in evidence.stderr


@pytest.mark.parametrize("mode", list(Mode))
def test_an_infinite_loop_is_a_timeout_that_names_its_line(mode: Mode) -> None:
    files = robot("if len(self.game.moves) == 3:\n    while True: pass")
    asked = request(1, mode=mode, limits=IMPATIENT)
    fault, evidence = faulty(play_one(files, asked, slot=BOXED))
    assert (fault.kind, fault.seat, fault.turn) == (FaultKind.TIMEOUT, 1, 3)
    assert "while True: pass" in evidence.stderr


def test_moves_that_are_never_valid_are_a_timeout_that_says_so() -> None:
    files = robot("return 'd1' if len(self.game.moves) % 2 else 'd0'")
    fault, evidence = faulty(play_one(files, request(1, limits=IMPATIENT), slot=BOXED))
    assert (fault.kind, fault.seat, fault.turn) == (FaultKind.TIMEOUT, 0, 0)
    assert "asked again" in evidence.stderr
    assert "refused: 'd" in evidence.stderr


def test_every_turn_has_its_own_second() -> None:
    files = robot("import time; time.sleep(0.02)")
    result = play_one(files, request(1, limits=IMPATIENT), slot=BOXED)
    assert result.record.fault is None
    assert sum(result.record.charged_us) > 3 * 300_000


@pytest.mark.parametrize("mode", list(Mode))
def test_printed_output_does_not_disturb_the_protocol(mode: Mode) -> None:
    files = robot('print(\'{"type":"action"}\' * 100)', "self.game.quiet = False")
    files["robot.py"] += "\nprint('loaded')\n"
    assert play_one(files, request(1, mode=mode), slot=BOXED).record.fault is None


def test_a_terminals_and_a_windows_modules_can_be_imported_and_do_nothing() -> None:
    files = robot("readline.parse_and_bind('tab: complete')", "Window().mainloop")
    files["robot.py"] = (
        "import readline\nimport tkinter as tk\nfrom tkinter import ttk\n\n"
        "class Window(tk.Frame):\n    mainloop = ttk.Button\n\n" + files["robot.py"]
    )
    assert play_one(files, slot=BOXED).record.fault is None


def test_threads_and_commands_are_forbidden() -> None:
    files = robot("import threading", "threading.Thread(target=print).start()")
    fault, _ = faulty(play_one(files, slot=BOXED))
    assert (fault.kind, fault.turn) == (FaultKind.FORBIDDEN, 0)
    fault, _ = faulty(play_one(robot("import os", "os.system('true')"), slot=BOXED))
    assert fault.kind is FaultKind.FORBIDDEN


def test_moves_that_run_code_at_a_terminal_run_nothing() -> None:
    files = robot("if len(self.game.moves) == 0:\n    return '>import os; os._exit(0)'")
    result = play_one(files, request(1, mode=Mode.TEAM), slot=BOXED)
    assert result.record.fault is None


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    "peek",
    [
        "int(self.game.current_hand.cards[0].number)",
        "self.game.deck.card_count[self.game.current_hand.cards[0].number]",
        "self.game.current_hand.cards[0].color.name",
        "int(self.game.piles[self.game.hands[0].cards[0].color])",
    ],
)
def test_looking_at_a_hidden_card_is_a_crash(peek: str, mode: Mode) -> None:
    fault, evidence = faulty(play_one(robot(peek), request(1, mode=mode), slot=BOXED))
    assert fault.kind is FaultKind.CRASH
    assert peek in evidence.stderr


def test_an_invalid_move_is_explained() -> None:
    files = {"robot.py": "import hanabi\nclass Robot(hanabi.ai.AI):\n    def play(self): pass\n"}
    fault, _ = faulty(play_one(files, slot=BOXED))
    assert fault.kind is FaultKind.CRASH
    assert "play() returned nothing; it must return a move such as 'd3' or 'cR'" in fault.detail


def test_team_mode_takes_one_process_for_all_seats() -> None:
    result = play_one(robot(), request(1, players=4), slot=BOXED)
    assert result.record.mode is Mode.TEAM
    assert [memory > 0 for memory in result.peak_memory_kib] == [True, False, False, False]
    assert [used > 0 for used in result.cpu_us] == [True, False, False, False]
    assert all(charged > 0 for charged in result.max_charged_us)

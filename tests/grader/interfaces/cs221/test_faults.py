"""An error of an agent ends its game, is its fault, and is explained."""

import pytest

from grader.core.records import AgentLimits, FaultKind, GameResult
from grader.play.slot import Slot
from grader.results.replay import replay
from tests.grader.interfaces.cs221.table import BOXED, PLAIN, play, python_2

pytestmark = [pytest.mark.usefixtures("warm_sandboxes"), pytest.mark.slow]

IMPATIENT = AgentLimits(turn_seconds=0.3, turn_wall_seconds=0.9)
NO_TRIAL = "# python3"
"""The first line of a file that gets no trial game, in which an endless loop lasts for seconds."""


def acting(body: str, *, top: str = "", more: str = "") -> dict[str, str]:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return {
        "acting.py": f"{top}\nfrom agent import Agent\n\nclass Acting(Agent):\n{more}"
        f"    def getAction(self, gameState):\n{lines}"
        "        return gameState.getLegalActions(self.index)[-1]\n"
    }


def fault(result: GameResult) -> tuple[FaultKind, str]:
    assert result.record.fault is not None, result.record
    assert result.evidence is not None
    return result.record.fault.kind, result.evidence.stderr


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("('play', 4)", "card is 4"),
        ("('discard', 4)", "card is 4"),
        ("('discard', -5)", "card is -5"),
        ("('color', 0, 1)", "to is 0"),
        ("('color', 7, 1)", "to is 7"),
        ("('color', 1, 5)", "getAction returned ('color', 1, 5); colours are 0 to 4"),
        ("('number', 1, 5)", "getAction returned ('number', 1, 5); numbers are 0 to 4"),
        ("('number', 1, -1)", "numbers are 0 to 4"),
    ],
)
def test_an_illegal_action_is_refused_with_the_reason(action: str, words: str) -> None:
    (result,) = play(acting(f"return {action}"))
    assert fault(result)[0] is FaultKind.ILLEGAL
    assert result.record.fault is not None
    assert words in result.record.fault.detail


def test_a_clue_that_touches_nothing_is_illegal() -> None:
    body = """\
player = (self.index + 1) % gameState.getNumAgents()
missing = set(range(5)) - set(gameState.getCardStatistics(player)[0])
return ('color', player, missing.pop())"""
    (result,) = play(acting(body))
    assert fault(result)[0] is FaultKind.ILLEGAL


def test_a_clue_without_a_clue_token_is_illegal() -> None:
    body = """\
player = (self.index + 1) % gameState.getNumAgents()
return ('number', player, min(gameState.getCardStatistics(player)[1]))"""
    (result,) = play(acting(body))
    assert fault(result)[0] is FaultKind.ILLEGAL
    assert result.record.fault is not None
    assert result.record.fault.turn == 7


@pytest.mark.parametrize("number", [3, 4, 99])
def test_a_discard_beyond_a_short_hand_is_played_as_in_the_simulator(number: int) -> None:
    body = f"""\
short = len(gameState.data.agentState[self.index].cards) == 3
return ('discard', {number} if short else -4)"""
    (result,) = play(acting(body))
    assert result.record.fault is None, result.evidence
    assert result.record.actions.split()[-4:] == ["d0", "d0", "d0", "d3"]
    assert replay(result.record).ending == "deck_out"


@pytest.mark.parametrize(
    "value", ["None", "'play'", "('play',)", "('play', 'x')", "('play', 1.5)", "('jump', 1)", "7"]
)
def test_an_invalid_action_is_explained(value: str) -> None:
    (result,) = play(acting(f"return {value}"))
    kind, stderr = fault(result)
    assert kind is FaultKind.CRASH
    assert "an action is ('play', i), ('discard', i)" in stderr


def test_an_action_that_cannot_be_shown_is_explained_as_well() -> None:
    top = "class Nasty:\n    def __repr__(self):\n        raise SystemError"
    kind, stderr = fault(play(acting("return Nasty()", top=top))[0])
    assert kind is FaultKind.CRASH
    assert "something that cannot be shown" in stderr


def test_an_exception_names_file_line_and_turn() -> None:
    body = "if gameState.data.clue < 6:\n    raise KeyError('lost')"
    (result,) = play(acting(body))
    kind, stderr = fault(result)
    assert kind is FaultKind.CRASH
    assert "failed during turn 2" in stderr
    assert 'File "acting.py", line 7' in stderr
    assert "raise KeyError('lost')" in stderr


@python_2
def test_an_exception_of_translated_python_2_shows_the_translated_line() -> None:
    body = "print 'deep'\nnumbers = [3]\nreturn ('play', numbers[len(numbers) / 1])"
    kind, stderr = fault(play(acting(body))[0])
    assert kind is FaultKind.CRASH
    assert 'File "acting.py", line 8' in stderr
    assert "numbers[len(numbers) / 1]" in stderr
    assert "IndexError" in stderr


@python_2
def test_a_form_feed_in_translated_python_2_does_not_shift_lines() -> None:
    kind, stderr = fault(play(acting("print 'deep'\nreturn [][gameState]", top="\x0c"))[0])
    assert kind is FaultKind.CRASH
    assert "return [][gameState]" in stderr


@pytest.mark.parametrize("method", ["registerInitialState(self, gameState)", "inference(self, *a)"])
def test_an_exception_outside_get_action_is_a_crash(method: str) -> None:
    kind, stderr = fault(play(acting("", more=f"    def {method}:\n        1 / 0\n"))[0])
    assert kind is FaultKind.CRASH
    assert "ZeroDivisionError" in stderr


def test_an_agent_that_takes_no_index_or_raises_while_it_loads_cannot_start() -> None:
    more = "    def __init__(self):\n        pass\n"
    (result,) = play(acting("", more=more))
    kind, stderr = fault(result)
    assert kind is FaultKind.CRASH
    assert "__init__() takes 1 positional argument but 2 were given" in stderr
    kind, stderr = fault(play(acting("", top="raise ImportError('nothing of the kind')"))[0])
    assert kind is FaultKind.CRASH
    assert "ImportError: nothing of the kind" in stderr


@pytest.mark.parametrize("name", ["code.py", "my-agent.py", "agent 2.py", "agent.v2.py"])
def test_files_of_any_name_can_be_played(name: str) -> None:
    (source,) = acting("").values()
    (result,) = play({name: source})
    assert result.record.fault is None, result.evidence


def test_leaving_the_program_is_a_crash() -> None:
    kind, stderr = fault(play(acting("import sys; sys.exit(0)"))[0])
    assert kind is FaultKind.CRASH
    assert "SystemExit" in stderr


def endless(slot: Slot, *, top: str = "") -> None:
    body = "if gameState.data.clue < 7:\n    while True: pass"
    (result,) = play(acting(body, top=top), slot=slot, limits=IMPATIENT)
    kind, stderr = fault(result)
    assert kind is FaultKind.TIMEOUT
    assert "while True: pass" in stderr


def test_an_endless_action_or_inference_is_a_timeout() -> None:
    endless(PLAIN, top=NO_TRIAL)
    more = "    def inference(self, *a):\n        while True: pass\n"
    (result,) = play(acting("", top=NO_TRIAL, more=more), limits=IMPATIENT)
    assert fault(result)[0] is FaultKind.TIMEOUT


def test_printing_is_no_message_and_does_no_harm() -> None:
    (result,) = play(acting('print(\'{"type":"action"}\')'))
    assert result.record.fault is None


def test_long_output_keeps_both_ends() -> None:
    body = "print('x' * (1 << 20))\nif gameState.data.clue < 6:\n    raise KeyError('lost')"
    kind, stderr = fault(play(acting(body))[0])
    assert kind is FaultKind.CRASH
    assert len(stderr) < 100_000
    assert "raise KeyError('lost')" in stderr


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
class TestInTheSandbox:
    def test_an_endless_loop_in_the_sandbox_is_a_timeout(self) -> None:
        endless(BOXED)

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            ("import threading; threading.Thread(target=print).start()", FaultKind.FORBIDDEN),
            ("import os; os.fork()", FaultKind.FORBIDDEN),
            ("x = [bytearray(1 << 20) for _ in range(4000)]", FaultKind.MEMORY),
            ("raise KeyError('lost')", FaultKind.CRASH),
            ("return ('play', 4)", FaultKind.ILLEGAL),
        ],
    )
    def test_a_fault_in_the_sandbox_is_called_by_its_name(self, body: str, kind: FaultKind) -> None:
        (result,) = play(acting(body), slot=BOXED)
        assert fault(result)[0] is kind

    def test_much_printing_in_the_sandbox_is_no_fault(self) -> None:
        (result,) = play(acting("print('x' * (1 << 20))"), slot=BOXED)
        assert result.record.fault is None

    def test_an_agent_finds_no_hidden_card_among_the_simulators_objects(self) -> None:
        """Not by way of the simulator's own objects either: a seat has only what it was sent."""
        body = """\
import gc
from simulator import AgentState, GameState
states = [each for each in gc.get_objects() if isinstance(each, GameState)]
hands = [each for each in gc.get_objects() if isinstance(each, AgentState)]
mine = gameState.data.agentState[self.index]
assert all(card == (None, None) for card in mine.cards) or any(map(any, mine.know))
assert len(states) < 10 and len(hands) < 40"""
        (result,) = play(acting(body), slot=BOXED)
        assert result.record.fault is None, result.evidence

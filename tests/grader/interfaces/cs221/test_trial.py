"""Python 2 that Python 3 can read is found by what fails in a trial game, and translated."""

from dataclasses import replace

import pytest

import grader.interfaces
from grader.core.games import game_from_options
from grader.core.records import FaultKind
from grader.interfaces import INTERFACES
from grader.interfaces.cs221_python.firebox_cs221 import trial
from tests.grader.interfaces.cs221.table import BOXED, build, play, python_2, texts

pytestmark = [pytest.mark.usefixtures("warm_sandboxes"), pytest.mark.slow]

TRIED = "Python 3 fails here in a trial game, where Python 2 would have gone on: "


def agent(body: str, *, start: str = "pass", top: str = "") -> dict[str, str]:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return {
        "mine.py": f"{top}\nfrom agent import Agent\n\nclass Mine(Agent):\n"
        f"    def __init__(self, index):\n        Agent.__init__(self, index)\n        {start}\n\n"
        "    def getAction(self, gameState):\n"
        f"        legal = gameState.getLegalActions(self.index)\n{lines}"
    }


@pytest.fixture
def short_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial ends earlier: an agent that never answers uses up its time."""
    usual = INTERFACES["cs221-python"]
    changed = replace(usual, build=replace(usual.build, trial_seconds=1.0))
    changes = {**INTERFACES, usual.name: changed}
    monkeypatch.setattr(grader.interfaces, "INTERFACES", changes)


OLD = {
    "a range is a list": agent(
        "self.order.append(self.order.pop(0))\nreturn legal[0]", start="self.order = range(4)"
    ),
    "a range is added to": agent("slots = range(2)\nslots = slots + [3]\nreturn legal[slots[0]]"),
    "filter gives a list": agent("plays = filter(bool, legal)\nreturn plays[0]"),
    "map gives a list": agent("plays = map(tuple, legal)\nplays.sort()\nreturn plays[0]"),
    "zip gives a list": agent(
        "plays = zip(legal, legal)\nreturn plays[0][len(plays) - len(plays)]"
    ),
    "keys are a list": agent("held = dict.fromkeys(legal).keys()\nheld.reverse()\nreturn held[0]"),
    "zip can be read backwards": agent("return list(reversed(zip(legal, legal)))[-1][0]"),
    "keys are drawn from": agent(
        "return random.sample(dict.fromkeys(legal).keys(), 1)[0]", top="import random"
    ),
    "a quotient is a position": agent(
        "cards = gameState.data.agentState[self.index].cards\nreturn 'play', len(cards) / 2"
    ),
    "whole numbers are divided": agent("middle = len(legal) / 2\nreturn legal[middle]"),
    "a range of a half": agent("half = len(legal) / 2\nreturn [legal[i] for i in range(half)][0]"),
    "anything can be compared": agent("return max(legal, key=lambda a: (None, 1)[a[1] % 2])"),
    "unlike things are sorted": agent("legal.append(None)\nlegal.sort()\nreturn legal[-1]"),
    "chains compare anything": agent("return [a for a in legal if None < 0 <= a[1] < 'a'][0]"),
    "print is a function": agent(
        "slots = range(2)\nslots.append(3)\nprint(slots, end='')\nreturn legal[slots[0]]",
        top="from __future__ import print_function",
    ),
    "types have names": agent("return legal[isinstance(1, types.StringType)]", top="import types"),
    "a type's name is imported": agent(
        "return legal[isinstance([], ListType)]", top="from types import ListType"
    ),
    "classes without a hash": agent(
        "return {Key(): legal[0]}.popitem()[1]",
        top="class Key:\n    def __eq__(self, other): return True\n",
    ),
}


@python_2
@pytest.mark.parametrize("files", OLD.values(), ids=OLD)
def test_python_2_that_fails_in_python_3_is_translated(files: dict[str, str]) -> None:
    (result,) = play(files)
    assert result.record.fault is None, result.evidence
    (note,) = texts(build(files))
    assert note.startswith(TRIED)
    assert "This is Python 2. It was translated" in note


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_the_trial_runs_in_the_sandbox_too() -> None:
    report = build(OLD["a range is a list"], BOXED)
    assert texts(report)[0].startswith(TRIED)
    forbidden = agent("import threading; threading.Thread(target=print).start()")
    assert build(forbidden, BOXED).ok


@python_2
def test_the_note_names_the_line_and_the_error() -> None:
    (message,) = build(OLD["whole numbers are divided"]).messages
    assert (message.file, message.line) == ("mine.py", 12)
    assert "TypeError: list indices must be integers or slices, not float" in message.text


@pytest.mark.parametrize(
    "files",
    [
        agent("middle = len(legal) / 2\nreturn legal[middle]", top="# python3"),
        agent("middle = len(legal) / 2\nnote = f'{middle}'\nreturn legal[middle]"),
        agent("middle: float = len(legal) / 2\nreturn legal[middle]"),
    ],
)
def test_sources_that_are_surely_python_3_get_no_trial(files: dict[str, str]) -> None:
    (result,) = play(files)
    assert result.record.fault is not None
    assert result.record.fault.kind is FaultKind.CRASH
    assert texts(build(files)) == []


@pytest.mark.parametrize(
    "body",
    [
        "raise TypeError('unsupported')",
        "return legal[0] + legal",
        "return len(None)",
        "import sys; sys.exit('not supported between instances of')",
        "return (1).play()",
    ],
)
def test_an_error_that_both_versions_of_python_raise_gives_no_note(body: str) -> None:
    assert texts(build(agent(body))) == []


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import os; os._exit(0)",
        "import os; os.kill(os.getpid(), 9)",
        "import sys; sys.stdout = sys.stderr = None; raise TypeError",
    ],
)
def test_an_agent_that_ends_the_trial_does_not_fail_the_build(body: str, short_trial: None) -> None:
    report = build(agent(body))
    assert report.ok
    assert report.messages == ()


def test_the_trials_game_follows_the_rules_of_the_variant() -> None:
    """Each seat gets the messages that the referee would send."""
    game = game_from_options("hanabi", {"variant": "cs221", "players": 3})
    options = {name: game.options[name] for name in trial._OPTIONS}
    assert options == trial._OPTIONS
    state = game.start(trial._DECK.split())
    for notation in trial._ACTIONS.split():
        state.apply(game.parse(notation))
    assert state.ending == "deck_out"
    for seat in range(3):
        told = [event for _, events in trial._turns(seat) for event in events]
        assert _plain(told) == _plain(state.events(seat))


def _plain(events: object) -> object:
    if isinstance(events, list | tuple):
        return [_plain(each) for each in events]
    return (
        {key: _plain(each) for key, each in events.items()} if isinstance(events, dict) else events
    )

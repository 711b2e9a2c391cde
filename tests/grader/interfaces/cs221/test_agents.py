"""Whole agents: each plays its games, and together they use the whole interface."""

import inspect
import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from grader.cli.paper import measure
from grader.core.deals import PRACTICE_SECRET
from grader.house import cs221
from grader.interfaces.cs221_python.firebox_cs221 import simulator, util
from tests.grader.interfaces.cs221.table import BOXED, build, files_of, play, python_2, texts
from tests.support.depth import deeper

pytestmark = [pytest.mark.usefixtures("warm_sandboxes"), pytest.mark.slow]

AGENTS = (
    "census.py",
    "searcher.py",
    "note_taker.py",
    "certain.py",
    "old_school.py",
    "plain.py",
    "borrower",
    "renamed",
)

SMART = "../students/smartAgents.py"
CONVENTION = "../students/convention_agent.py"
OLD = ("old_school.py", SMART)

HERE = [
    pytest.param(agent, marks=python_2) if agent in OLD else agent
    for agent in (*AGENTS, SMART, CONVENTION)
]
"""The same, for tests that play outside the sandbox as well."""

COVERED_BY = {
    "Agent": "census.py",
    "Agent.getAction": "census.py",
    "Agent.inference": "note_taker.py",
    "Agent.registerInitialState": "census.py",
    "AgentState": "census.py",
    "AgentState.add": "census.py",
    "AgentState.cards": "census.py",
    "AgentState.copy": "census.py",
    "AgentState.infer": "note_taker.py",
    "AgentState.know": "census.py",
    "AgentState.peek": "census.py",
    "AgentState.pop": "census.py",
    "Data.additionalTerms": "census.py",
    "Data.agentState": "census.py",
    "Data.clue": "census.py",
    "Data.deck": "census.py",
    "Data.table": "census.py",
    "Data.trash": "census.py",
    "Deck.isEmpty": "census.py",
    "Deck.state": "census.py",
    "GameState": "searcher.py",
    "GameState.data": "census.py",
    "GameState.deepCopy": "searcher.py",
    "GameState.generateSuccessor": "searcher.py",
    "GameState.getCardStatistics": "certain.py",
    "GameState.getLegalActions": "census.py",
    "GameState.getNumAgents": "census.py",
    "GameState.getScore": "census.py",
    "GameState.isDangerous": "certain.py",
    "GameState.isDiscardable": "certain.py",
    "GameState.isEnd": "census.py",
    "GameState.isPlayable": "certain.py",
    "GameState.isWin": "census.py",
    "GameState.rule": "census.py",
    "IllegalAction": "searcher.py",
    "Rule.numAgent": "census.py",
    "Rule.numCard": "census.py",
    "Rule.numClue": "census.py",
    "Rule.numColor": "census.py",
    "Rule.numNumber": "census.py",
    "Table.check": "census.py",
    "Table.getScore": "census.py",
    "Table.playable": "census.py",
    "Table.state": "census.py",
    "Trash.check": "census.py",
    "Trash.state": "census.py",
    "Counter": "renamed",
    "Counter.argMax": "renamed",
    "Counter.copy": "renamed",
    "Counter.divideAll": "renamed",
    "Counter.incrementAll": "renamed",
    "Counter.normalize": "renamed",
    "Counter.sortedKeys": "renamed",
    "Counter.totalCount": "renamed",
    "chooseFromDistribution": "renamed",
    "flipCoin": "renamed",
    "normalize": "renamed",
    "raiseNotDefined": "renamed",
}
"""Each name of the interface, and the agent that uses it."""

PECULIARITIES = {
    "one's own cards are partial": ("census.py", "(None, None)"),
    "the deck is hidden": ("census.py", "hidden == len(data.deck)"),
    "turns are counted after a failed draw": ("census.py", "additionalTerms == inf"),
    "notes move with the cards": ("note_taker.py", "self.expected.pop"),
    "notes are the only memory": ("note_taker.py", "hand.infer == self.expected"),
    "everybody's actions are told, one's own too": ("note_taker.py", "agentIndex == self.index"),
    "tests hold of what a card can still be": ("certain.py", "all(map(table.playable, possible))"),
    "statistics have positions by colour and number": ("certain.py", "colors, numbers"),
    "the future is looked into": ("searcher.py", "second = "),
    "copies are independent": ("searcher.py", "twin.data.table"),
    "clues can be for any seat": ("certain.py", '("number", player, number)'),
    "Python 2 is translated": ("old_school.py", "print "),
    "whole numbers divide as in Python 2": ("old_school.py", "7 / 2 == 3"),
    "tabs are eight columns wide": ("old_school.py", "\tAgent"),
    "sorting takes comparisons": ("old_school.py", "cmp=lambda"),
    "print with a target, and a comma at the end": (SMART, "print >>sys.stderr"),
    "print without parentheses": (SMART, 'print "best of", len(nodes)'),
    "xrange": (SMART, "xrange(len(hand))"),
    "iteritems": (SMART, ".iteritems()"),
    "has_key": ("old_school.py", ".has_key("),
    "keys are a list": ("old_school.py", "counts.keys()[0]"),
    "filter and map give lists": ("old_school.py", "map(None.__class__, []) == []"),
    "tuples among parameters": (SMART, "def mayFit(self, gameState, (color, number))"),
    "tuples among parameters of a lambda": ("old_school.py", "lambda (kind, first)"),
    "raise with a comma": (SMART, 'raise ValueError, "no action at all"'),
    "texts are raised": ("old_school.py", 'raise "no such thing", action'),
    "except with a comma": (SMART, "except SearchTimeout, e:"),
    "backticks": (SMART, "return `self.value`"),
    "the other sign for unequal": (SMART, "number <> None"),
    "exec as a statement": (SMART, 'exec "VERSION = %d" % 3'),
    "classes that compare themselves": (SMART, "def __cmp__(self, other)"),
    "lists of anything are sorted": ("old_school.py", "partial.sort()"),
    "long numbers, octal numbers": ("old_school.py", "0777 == 511L"),
    "unicode, basestring, long": ("old_school.py", "isinstance(count, (int, long))"),
    "reduce, apply": ("old_school.py", "apply(max, (1, 2))"),
    "scripts with a first line, and one at the end": (SMART, "#!/usr/bin/env python"),
    "dataclasses and named tuples": (CONVENTION, "@dataclass"),
    "deep copies of the state": (CONVENTION, "copy.deepcopy(gameState)"),
    "any object in infer": (CONVENTION, "hand.infer = [Thought()"),
    "the first state's score, clues, deck": ("census.py", "data.clue == 7"),
    "numbers count from 0": ("census.py", "(n == top + 1) for n in range(5)"),
    "the table begins at -1": ("census.py", "data.table.state == [-1] * 5"),
    "agents print": ("plain.py", "print("),
    "classes need no base, and have any name": ("plain.py", "class Anything:"),
    "actions may be lists": ("plain.py", "return list("),
    "submissions have several files": ("borrower", "from tables.weights"),
    "a submission's modules come before the simulator's": ("borrower", "util.OWN"),
    "everything can be imported with a star": ("borrower", "from game import *"),
    "base classes are no agents": ("borrower", "class Base(Agent)"),
    "agent.py imports agent": ("renamed", "from agent import Agent"),
}
"""Each peculiarity, the agent that has it, and where."""

_NOT_THE_COURSES = {
    "GameState.clue",
    "GameState.draw",
    "GameState.endTurn",
    "GameState.lay",
    "Data.copy",
    "Deck.copy",
    "Deck.size",
    "Table.copy",
    "Trash.copy",
}
"""What our own modules use of these types."""


def names() -> set[str]:
    """The interface as it is: types, their methods, their attributes, functions."""
    found = set()
    for module in (simulator, util):
        for name in set(module.__all__) - {"Card", "Action", "random", "Deck", "Data", "Table"}:
            found.add(name)
    for module in (simulator, util):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                members = {member for member in vars(value) if not member.startswith("_")}
                source = inspect.getsource(value)
                several = r"\bself\.([a-z]\w*)(?= *(?:, *self\.\w+ *)*(?::[^=]+)?= )"
                members |= set(re.findall(several, source))
                found |= {f"{name}.{member}" for member in members}
    return found - {"Rule", "Trash", "Agent.index"} - _NOT_THE_COURSES


def text_of(agent: str) -> str:
    return "\n".join(files_of(agent).values())


def test_every_name_of_the_interface_is_used_by_an_agent() -> None:
    assert names() == set(COVERED_BY)
    for name, agent in COVERED_BY.items():
        word = name.rpartition(".")[2]
        assert word in text_of(agent) or name == "AgentState", (name, agent)


@pytest.mark.parametrize("peculiarity", PECULIARITIES)
def test_every_peculiarity_has_an_agent(peculiarity: str) -> None:
    agent, words = PECULIARITIES[peculiarity]
    assert agent in {*AGENTS, SMART, CONVENTION}
    assert words in text_of(agent)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("agent", HERE)
def test_agents_play_without_fault(agent: str, players: int) -> None:
    for result in play(files_of(agent), games=deeper(1, deep=2), players=players):
        assert result.record.fault is None, (result.record.fault, result.evidence)
        assert result.record.ending in {"deck_out", "perfect"}


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
@pytest.mark.parametrize("agent", HERE)
def test_agents_play_the_same_in_the_sandbox(agent: str) -> None:
    boxed = play(files_of(agent), games=2, slot=BOXED)
    plain = play(files_of(agent), games=2)
    assert [result.record.fault for result in boxed] == [None, None]
    assert [each.record.actions for each in boxed] == [each.record.actions for each in plain]


@python_2
def test_agents_of_different_kinds_sit_at_one_table() -> None:
    (result,) = play(files_of("census.py"), files_of("old_school.py"), files_of("plain.py"))
    assert result.record.fault is None, result.evidence


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_python_2_is_translated_in_the_sandbox_with_a_note() -> None:
    report = build(files_of("old_school.py"), slot=BOXED)
    assert report.ok
    assert [text[:17] for text in texts(report)] == ["This is Python 2."]


@pytest.mark.parametrize("name", [name for name, each in cs221.NAMES.items() if not each.sees_all])
def test_the_papers_strategies_can_be_submitted(name: str) -> None:
    archive = ZipFile(BytesIO(cs221.bundle(name)))
    files = {each: archive.read(each).decode() for each in archive.namelist()}
    (result,) = play(files, players=4)
    assert result.record.fault is None, result.evidence


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_strategy_scores_in_the_sandbox_what_the_report_says() -> None:
    archive = ZipFile(BytesIO(cs221.bundle("information")))
    files = {each: archive.read(each).decode() for each in archive.namelist()}
    boxed = play(files, games=4, players=4, slot=BOXED)
    reported = list(measure("information", 4, PRACTICE_SECRET, range(4)))
    assert [result.record.scores[0] for result in boxed] == reported


NAMED_LIKE_PYTHONS = {f"{name}.py": f"OWN = {name!r}\n" for name in ("statistics", "queue", "cmd")}
IMPORTING = """\
import cmd, queue, statistics
OWN = cmd.OWN, queue.OWN, statistics.OWN
class Mine:
    def getAction(self, gameState):
        return gameState.getLegalActions(self.index)[-1]
    def __init__(self, index):
        self.index = index
"""


def test_functions_that_the_library_lost_are_there() -> None:
    source = IMPORTING.replace("cmd, queue, statistics\n", "operator, time\n")
    source = source.replace("OWN = cmd.OWN, queue.OWN, statistics.OWN", "BEGUN = time.clock()")
    source = source.replace("[-1]", "[operator.div(-1, 1 + (time.clock() < BEGUN))]")
    (result,) = play({"mine.py": source})
    assert result.record.fault is None


def test_own_modules_come_before_pythons_of_that_name() -> None:
    (result,) = play({"mine.py": IMPORTING, **NAMED_LIKE_PYTHONS})
    assert result.record.fault is None


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_own_modules_come_before_pythons_in_the_sandbox() -> None:
    (result,) = play({"mine.py": IMPORTING, **NAMED_LIKE_PYTHONS}, slot=BOXED)
    assert result.record.fault is None


def test_a_module_named_like_one_of_pythons_is_not_used_and_a_note_says_so() -> None:
    source = IMPORTING.replace("cmd, queue", "random, cmd, queue").replace("return", "random.OWN #")
    (result,) = play({"mine.py": source, "random.py": "OWN = 1\n", **NAMED_LIKE_PYTHONS})
    assert result.evidence is not None
    assert "Note: random.py cannot be imported" in result.evidence.stderr


def test_an_agent_in_a_file_named_like_pythons_can_be_imported_by_others() -> None:
    files = {"code.py": f"LIMIT = 3\n{IMPORTING}import other\n", "other.py": "import sys\n"}
    files["other.py"] += "def limit():\n    from code import LIMIT\n    return LIMIT\n"
    files["code.py"] = files["code.py"].replace(
        "        return", "        other.limit()\n        return"
    )
    (result,) = play(files | NAMED_LIKE_PYTHONS)
    assert result.record.fault is None

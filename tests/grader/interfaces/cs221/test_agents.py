"""Whole agents: each plays its games, and together they use the whole interface."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from grader.cli.paper import measure
from grader.core.deals import PRACTICE_SECRET
from grader.house import cs221
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

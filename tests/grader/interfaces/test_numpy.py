"""Agents in Python that import numpy, or modules that a sandbox does not have."""

from collections.abc import Sequence
from typing import Final

import pytest

from grader.core.records import BuildMessage, FaultKind, GameResult
from grader.play.batch import open_batch
from tests.support.agents import practice_request
from tests.support.archives import archive
from tests.support.slots import confined

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

CLASS: Final = """
{top}
from firebox import Agent

class Made(Agent):
    def act(self, observation):
        {act}
        return observation.legal_actions[-1]
"""
ROBOT: Final = """
{top}
import hanabi

class Robot(hanabi.ai.AI):
    def play(self):
        {act}
        return "d1" if self.game.blue_coins < 8 else f"c{{self.other_hands[0].cards[0].number}}"
"""
SIMULATED: Final = """
{top}
from agent import Agent

class Made(Agent):
    def getAction(self, gameState):
        {act}
        return gameState.getLegalActions(self.index)[-1]
"""
PROGRAM: Final = """
{top}
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    answer = {{"type": "ready"}}
    if message["type"] == "turn":
        {act}
        answer = {{"type": "action", "turn": message["turn"], "action": message["legal"][-1]}}
    print(json.dumps(answer))
"""
AGENTS: Final = {
    "python": ("agent.py", CLASS),
    "ensta-python": ("robot.py", ROBOT),
    "cs221-python": ("made.py", SIMULATED),
    "stdio-python": ("main.py", PROGRAM),
}
ALLOWED: Final = {"ensta-python": ()}
FORBIDDEN: Final = {"ensta-python": ("no_numpy",)}


def outcome(
    interface: str,
    *,
    top: str,
    act: str = "pass",
    options: Sequence[str] | None = None,
    **others: str,
) -> GameResult | Sequence[BuildMessage]:
    """Return one game of an agent with itself, or why it was refused."""
    name, source = AGENTS[interface]
    switched = ALLOWED.get(interface, ("numpy",)) if options is None else options
    files = {name: source.format(top=top, act=act), **others}
    request = practice_request([interface], [0], agent_options=switched, players=2)
    with open_batch(request, [archive(files)], confined()) as batch:
        return next(batch.games()) if batch.playable else batch.builds[0].messages


def game(interface: str, *, top: str, act: str = "pass") -> GameResult:
    result = outcome(interface, top=top, act=act)
    assert isinstance(result, GameResult), result
    return result


@pytest.mark.parametrize("interface", AGENTS)
def test_an_agent_computes_with_numpy_where_the_assignment_allows_it(interface: str) -> None:
    act = "assert np.linalg.solve(np.eye(3) * 2, np.ones(3)).sum() == 1.5 and (A @ A)[0, 0] == 3"
    result = game(interface, top="import numpy as np\nA = np.ones((3, 3))", act=act)
    assert result.record.fault is None, result.evidence


@pytest.mark.parametrize("interface", AGENTS)
def test_an_agent_is_refused_for_numpy_where_the_assignment_forbids_it(interface: str) -> None:
    options = FORBIDDEN.get(interface, ())
    refusal = outcome(interface, top="from numpy import zeros", options=options)
    assert not isinstance(refusal, GameResult)
    assert [(message.file, message.line) for message in refusal] == [(AGENTS[interface][0], 2)]
    assert "No module named 'numpy'" in refusal[0].text


@pytest.mark.parametrize("interface", AGENTS)
def test_a_module_that_is_nowhere_is_named_with_its_line_before_any_game(interface: str) -> None:
    refusal = outcome(interface, top="import json, torch.nn")
    assert not isinstance(refusal, GameResult)
    assert [(message.line, message.column) for message in refusal] == [(2, 1)]
    assert "No module named 'torch.nn'" in refusal[0].text


@pytest.mark.parametrize(
    "top",
    [
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
        "if __name__ == 'nobody':\n    import torch",
        "def draw():\n    import torch",
    ],
)
def test_an_import_that_need_not_run_refuses_nobody(top: str) -> None:
    assert game("python", top=top).record.fault is None


@pytest.mark.parametrize("interface", AGENTS)
def test_modules_that_draw_can_be_imported_and_not_used(interface: str) -> None:
    top = "import matplotlib.pyplot as plt\nfrom PIL import Image"
    assert game(interface, top=top).record.fault is None
    fault = game(interface, top=top, act="plt.plot([1])").record.fault
    assert fault is not None
    assert fault.kind is FaultKind.CRASH
    assert "matplotlib.pyplot.plot cannot be used here: the sandbox has no screen" in fault.detail


def test_an_agent_that_is_prepared_for_their_absence_learns_of_it() -> None:
    top = "try:\n    import matplotlib\nexcept ImportError:\n    matplotlib = None"
    assert game("python", top=top, act="assert matplotlib is None").record.fault is None


@pytest.mark.parametrize("interface", ["python", "ensta-python", "cs221-python"])
def test_numpys_random_numbers_are_the_same_when_a_game_is_played_again(interface: str) -> None:
    act = "import sys; print(np.random.rand(), file=sys.stderr); 1 / 0"
    said = [game(interface, top="import numpy as np", act=act).evidence for _ in range(2)]
    assert said[0] is not None
    assert said[1] is not None
    assert "0." in said[0].stderr
    assert said[0].stderr == said[1].stderr


REACHES: Final = """
import io, os
import numpy as np

class Loaded:
    def __init__(self, act, *given):
        self.given = act, given
    def __reduce__(self):
        return self.given

def load(act, *given):
    file = io.BytesIO()
    np.save(file, np.array([Loaded(act, *given)], dtype=object), allow_pickle=True)
    file.seek(0)
    return np.load(file, allow_pickle=True)

ATTEMPTS = (
    lambda: np.memmap("data.bin", mode="r"),
    lambda: np.memmap("data.bin", mode="r+"),
    lambda: np.memmap("new.bin", mode="w+", shape=3),
    lambda: np.save("data.npy", np.zeros(3)),
    lambda: np.zeros(3).tofile("data.bin"),
    lambda: np.fromfile("/proc/self/maps", dtype="u1"),
    lambda: np.fromfile("/proc/self/mem", dtype="u1", count=3),
    lambda: np.loadtxt("http://127.0.0.1/x"),
    lambda: np.ctypeslib.load_library("data.bin", "."),
    lambda: load(open, "/etc/passwd"),
    lambda: load(os.unlink, "data.bin"),
)

def attempt():
    assert not hasattr(np, "mark") and np.geterr()["divide"] == "warn", "the last game's"
    np.mark = np.seterr(all="raise")
    assert np.fromfile("data.bin", dtype="u1").sum() == np.memmap("data.bin", mode="c").sum() == 294
    assert np.linalg.svd(np.ones((300, 300)) @ np.ones((300, 300)))[1].max() > 1  # in one thread
    for number, act in enumerate(ATTEMPTS):
        try:
            act()
        except OSError:
            continue
        raise AssertionError(f"ESCAPED: {number}")
"""


def test_numpy_reaches_nothing_but_the_agents_own_data_and_keeps_nothing() -> None:
    act = "attempt() if observation.turn < 2 else None"  # each seat, once
    for _ in range(2):  # in the same sandboxes
        result = outcome("python", top=REACHES, act=act, **{"data.bin": "abc"})
        assert isinstance(result, GameResult)
        assert result.record.fault is None, result.evidence


def test_a_numpy_of_the_uploads_own_comes_first() -> None:
    files = {"numpy.py": "OWN = True\n"}
    result = outcome("python", top="import numpy", act="assert numpy.OWN", **files)
    assert isinstance(result, GameResult)
    assert result.record.fault is None

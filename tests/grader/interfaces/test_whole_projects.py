"""An agent plays the same games alone and in its course's whole folder.

Folders hold a course's own modules (ours stand in for them), its examples, tests that play games
when they are imported, copies that an installation left, and scratch files that do not parse.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.grader.interfaces.cs221 import table as cs221
from tests.grader.interfaces.ensta import playing as ensta

pytestmark = pytest.mark.slow

HERE: Final = Path(__file__).parent
GRADER: Final = HERE.parents[2] / "grader"
ENSTA: Final = HERE / "ensta" / "students"
CS221: Final = HERE / "cs221" / "students"
SCRATCH: Final = "def play(self):\nprint 'à finir'\n"
EXAMPLE: Final = """

class Cheater(AI):
    def play(self):
        return "d1"
"""
OWN_TEST: Final = """\
import sys
sys.path.insert(0, "../src")
import hanabi
game = hanabi.Game(2)
game.ai = hanabi.ai.Cheater(game)
game.run()
"""


def module(name: str) -> str:
    return (GRADER / "interfaces" / "ensta_python" / "hanabi" / name).read_text()


def ensta_project(place: str, robot: str) -> dict[str, str]:
    package = {name: module(name) for name in ("__init__.py", "deck.py")}
    package["ai.py"] = module("ai.py") + EXAMPLE
    return {
        **{f"hanabi/src/hanabi/{name}": text for name, text in package.items()},
        **{f"hanabi/src/build/lib/hanabi/{name}": text for name, text in package.items()},
        "hanabi/src/setup.py": "from setuptools import setup\nsetup(name='hanabi')\n",
        "hanabi/src/hanabi/test_deck.py": OWN_TEST,
        "hanabi/src/hanabi/brouillon.py": SCRATCH,
        "hanabi/doc/conf.py": "extensions = []\n",
        "hanabi/test/test_all.py": OWN_TEST,
        f"hanabi/{place}": robot,
    }


def moves_in_ensta(files: Mapping[str, str]) -> list[str]:
    results = ensta.play(files, ensta.request(2, players=5))
    assert [(each.record.fault, each.evidence) for each in results] == [(None, None)] * 2
    return [each.record.actions for each in results]


@pytest.mark.parametrize("name", ["recommandation.py", "robot_deductif.py"])
def test_a_robot_in_the_folder_of_ensta_plays_as_alone(name: str) -> None:
    robot = (ENSTA / name).read_text()
    alone = moves_in_ensta({name: robot})
    for place in (f"test/{name}", f"src/hanabi/{name}"):
        assert moves_in_ensta(ensta_project(place, robot)) == alone, place


def moves_in_cs221(files: dict[str, str]) -> list[str]:
    results = cs221.play(files, games=2)
    assert [(each.record.fault, each.evidence) for each in results] == [(None, None)] * 2
    return [each.record.actions for each in results]


@pytest.mark.parametrize("name", ["convention_agent.py", "smartAgents.py"])
def test_an_agent_in_the_simulators_folder_plays_as_alone(name: str) -> None:
    agent = (CS221 / name).read_text()
    folder = {
        f"hanabi/{name}": agent,
        "hanabi/main.py": "from game import *\nprint(Agent(0).getAction(None))\n",
        "hanabi/old/draft.py": SCRATCH,
        "hanabi/README.py": "",
    }
    assert moves_in_cs221(folder) == moves_in_cs221({name: agent})

# ruff: noqa: INP001 - imported by the script beside it
"""The teams of the demo's course: their names, their members, and the programs that they upload."""

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grader import house
from grader.core.games.hanabi import Hanabi
from grader.interfaces import INTERFACES

DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The time of files in uploads, so that the same sources are the same bytes."""

WARM_UP: Final = """\
Get to know the site: upload any agent that plays Hanabi by the rules, with a copy of itself.

It is graded over 10 games. A mean of 5 gives full credit."""
COOPERATIVE: Final = """\
Write an agent that plays Hanabi with a copy of itself, by the Grove City rules with two seats.

Your agent is graded by its mean score over 1,000 games. A mean of 15 gives full credit, and every \
full point above it gives one point more.

Ida grades everybody once in the second week, so that you see where you stand, and again after the \
due date."""
OPEN_INTERFACES: Final = [
    name for name, each in INTERFACES.items() if each.plays(Hanabi) and not each.rules.game
]
"""The interfaces of the cooperative assignment, without interfaces of a course's own game."""
HEARTS: Final = """\
Write an agent that plays Hearts for two against agents of known strength.

Every deal is played twice, once from each seat. Your points depend on how often you beat each \
opponent."""

# What teams add to the house agent that they build on, indented once.
GUESSES: Final = """
    def start(self, context):
        super().start(context)
        self.dice = context.random

    def act(self, observation):
        if self.dice.random() < {share}:  # try something new now and then
            actions = [a for a in observation.legal_actions if not isinstance(a, Swap)]
            return self.dice.choice(actions)
        return super().act(observation)
"""
FAILS_ON_THE_LAST_LIFE: Final = """
    courage = {3: 0.02, 2: 0.01}  # by the lives that are left

    def act(self, observation):
        boldness = self.courage[observation.lives]
        plays = [a for a in observation.legal_actions if isinstance(a, Play)]
        if plays and self.random.random() < boldness:
            return self.random.choice(plays)
        return super().act(observation)
"""
FAILS_AT_THE_END: Final = """
    def act(self, observation):
        self.pace = observation.score / observation.deck
        return super().act(observation)
"""
STARTS_A_THREAD: Final = """
    def start(self, context):
        super().start(context)
        threading.Thread(target=self.think_ahead, daemon=True).start()

    def think_ahead(self):
        self.table = {}
"""
UNFINISHED: Final = """
    def act(self, observation)
        return super().act(observation)
"""


@dataclass(frozen=True, slots=True)
class DemoUpload:
    """An upload: the house agent that it builds on, and what the team added."""

    base: str
    added: str = ""

    def program(self, team: str) -> bytes:
        """Return the upload: the house agent's bundle with another `agent.py`."""
        name = self.base.rpartition("/")[2]
        bundle = house.bundle(self.base)
        title = "".join(map(str.capitalize, name.split("_")))
        kinds = [kind for kind in ("Play", "Swap") if kind in self.added]
        imports = f"from firebox.hanabi import {', '.join(kinds)}\n" if kinds else ""
        imports = "import threading\n\n" * ("threading" in self.added) + imports
        text = f'"""{team}."""\n\n{imports}from house.{name} import {title}\n\n\n'
        text += f"class Agent({title}):\n" + (self.added or '    """As it is, so far."""\n')
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(bundle)) as old, zipfile.ZipFile(out, "w") as new:
            sources = {info: old.read(info).decode() for info in old.infolist()}
            used = _imported(sources, f"house/{name}.py")
            for info, source in sources.items():
                if info.filename in used | {"house/__init__.py"}:
                    new.writestr(info, source, zipfile.ZIP_DEFLATED)
            new.writestr(zipfile.ZipInfo("agent.py", DATE), text, zipfile.ZIP_DEFLATED)
        return out.getvalue()


def _imported(sources: Mapping[zipfile.ZipInfo, str], name: str) -> set[str]:
    texts = {info.filename: source for info, source in sources.items()}
    found, waiting = set[str](), [name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [
                f"house/{one}.py" for one in re.findall(r"from \.(\w+) import", texts[name])
            ]
    return found


def guessing(base: str, share: float) -> DemoUpload:
    """Return a version that makes a random move now and then."""
    return DemoUpload(base, GUESSES.format(share=share))


@dataclass(frozen=True, slots=True)
class DemoTeam:
    """A team, its members, and its uploads to the assignment in Hanabi, the latest last."""

    name: str
    members: tuple[str, ...]
    versions: tuple[DemoUpload, ...]


TEAMS: Final = (
    DemoTeam("Night Owls", ("Ada", "Mira Novak"),
             (DemoUpload("iggi"), DemoUpload("piers"), guessing("convention_2", 0.002))),
    DemoTeam("Second Opinion", ("Ben",), (DemoUpload("outer"), guessing("iggi", 0.002))),
    DemoTeam("Lantern Keepers", ("Tomás Rivera", "Hanna Berg"),
             (DemoUpload("piers"), DemoUpload("convention"))),
    DemoTeam("Hint Economy", ("Priya Raman", "Jonas Weber"),
             (DemoUpload("convention_1"), guessing("convention", 0.002))),
    DemoTeam("Fuse Box", ("Lea Fontaine",), (guessing("convention", 0.005),)),
    DemoTeam("Five Alive", ("Oskar Lind", "Yuki Tanaka"),
             (DemoUpload("convention_1"), guessing("convention_2", 0.004))),
    DemoTeam("Blind Play", ("Noor Haddad",), (guessing("convention_2", 0.01),)),
    DemoTeam("Chop Chop", ("Emil Kovač", "Sara Lindqvist"), (DemoUpload("convention_1"),)),
    DemoTeam("Rainbow Riders", ("Chloe Martin",), (guessing("convention_1", 0.005),)),
    DemoTeam("Quiet Signals", ("Diego Alvarez", "Anna Kowalska"), (guessing("piers", 0.003),)),
    DemoTeam("Two of Clubs", ("Femi Adeyemi",), (guessing("piers", 0.02),)),
    DemoTeam("Deck Out", ("Ingrid Solberg", "Marco Conti"),
             (guessing("piers", 0.1), guessing("piers", 0.04))),
    DemoTeam("Safe Discard", ("Wei Chen",), (guessing("iggi", 0.006),)),
    DemoTeam("Common Knowledge", ("Zofia Nowak", "Paul Meyer"), (guessing("iggi", 0.02),)),
    DemoTeam("Pocket Dragons", ("Aisha Khan",), (guessing("convention_1", 0.03),)),
    DemoTeam("Late Checkout", ("Rui Santos",), (guessing("iggi", 0.05),)),
    DemoTeam("Greedy Gulls", ("Elif Demir", "Max Brandt"), (DemoUpload("outer"),)),
    DemoTeam("Half a Plan", ("Nina Petrova",), (guessing("outer", 0.08),)),
    DemoTeam("Burnt Fuse", ("Jack Murphy",), (guessing("piers", 0.2),)),
    DemoTeam("Division by Zero", ("Lucia Romano",),
             (DemoUpload("piers", FAILS_AT_THE_END), guessing("convention_2", 0.03))),
    DemoTeam("Third Life", ("Kwame Mensah", "Olga Sokolova"),
             (DemoUpload("iggi", FAILS_ON_THE_LAST_LIFE),)),
    DemoTeam("Coin Flip", ("Tim Schulz",), (DemoUpload("random_legal"),)),
    DemoTeam("Background Thread", ("Amir Rahimi",), (DemoUpload("piers", STARTS_A_THREAD),)),
    DemoTeam("Missing Colon", ("Julia Costa",), (DemoUpload("iggi", UNFINISHED),)),
)  # fmt: skip
HEARTS_TEAMS: Final = (
    ("Night Owls", "hearts/guarded"),
    ("Hint Economy", "hearts/careful"),
    ("Five Alive", "hearts/guarded"),
    ("Safe Discard", "hearts/low_card"),
    ("Quiet Signals", "hearts/careful"),
    ("Fuse Box", "hearts/low_card"),
)
BASES: Final = ("outer", "iggi", "piers", "convention_1")
"""The house agents that teams build on in the warm-up."""
LATE: Final = ("Late Checkout", "Half a Plan")
"""Teams that hand the warm-up in after it was due."""

LAST: Final = ("Late Checkout", "Two of Clubs")
"""Teams whose first cooperative agent comes after the others were graded."""

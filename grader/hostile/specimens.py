"""Hostile agents as files: what each tries, and the verdict that it declares in its docstring.

A suite is a directory with one folder a group, one file an agent, and a kit for each language that
it has agents in: the kit lies beside every agent when it plays. An agent that brings more files has
them in a folder of its own name.
"""

import importlib.util
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Final

from grader.core.deals import agent_seed
from grader.core.errors import GraderError
from grader.core.games import Game
from grader.core.records import AgentLimits
from grader.uploads.archive import SourceFile, Sources

LIMITS: Final = AgentLimits(
    turn_seconds=0.3,
    turn_wall_seconds=0.7,
    start_seconds=2.0,
    memory_mib=96,
    stdout_bytes=128 << 10,
)
"""Tight, so that what must end in a timeout ends soon."""


class SuiteError(GraderError):
    """A directory that is no suite, or a file that does not say what it must."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What agents in it are written against, and how their files are read and named."""

    interface: str
    variant: str
    """The rules that they play by."""
    game: str = "hanabi"
    hands: int = 0
    """How long a game is, where rules count it in hands; 0: as they have it."""
    kit: str
    """The file that they share."""
    stored_as: str
    """What an agent's own file is called in a submission; empty: as it is."""
    docstring: re.Pattern[str]
    """The first comment of a file, in its only group."""
    is_armed: Callable[[Game, bytes, int], bool]
    """Whether an agent attacks in the game of a deal seed, at a seat: what it knows decides it."""


_BLOCK: Final = re.compile(r"\s*/\*+\s*(.*?)\s*\*/", re.DOTALL)
_MARGIN: Final = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)


def _by_its_seed(game: Game, seed: bytes, seat: int) -> bool:
    """If its own seed is odd."""
    del game
    return agent_seed(seed, seat) % 2 == 1


def _by_its_partners_card(game: Game, seed: bytes, seat: int) -> bool:
    """If the partner's first card has an odd number: agents of these interfaces know no seed."""
    hands = game.deal(seed).observe(seat)["hands"]
    return int(hands[1 - seat]["cards"][0][1]) % 2 == 1


def _by_its_clubs(game: Game, seed: bytes, seat: int) -> bool:
    """If the ranks of its clubs, counted from the two as 0, have an odd sum.

    Those of all clubs sum up to 78: of two hands, both are odd, or none.
    """
    hand = game.deal(seed).observe(seat)["hand"]
    return sum("23456789TJQKA".index(card[1]) for card in hand if card[0] == "C") % 2 == 1


LANGUAGES: Final[Mapping[str, Language]] = {
    ".py": Language(
        interface="python",
        variant="standard",
        kit="hostile.py",
        stored_as="agent.py",
        docstring=re.compile(r'\s*"""(.*?)"""', re.DOTALL),
        is_armed=_by_its_seed,
    ),
    ".java": Language(
        interface="uwa-java",
        variant="uwa",
        kit="Hostile.java",
        stored_as="",
        docstring=_BLOCK,
        is_armed=_by_its_partners_card,
    ),
    ".h": Language(
        interface="gcc-cpp",
        variant="gcc",
        kit="hostile.h",
        stored_as="Player.h",
        docstring=_BLOCK,
        is_armed=_by_its_partners_card,
    ),
    ".hs": Language(
        interface="fit2102-haskell",
        variant="fit2102",
        game="hearts",
        hands=1,
        kit="Hostile.hs",
        stored_as="Player.hs",
        docstring=re.compile(r"\s*\{-\s*(.*?)\s*-\}", re.DOTALL),
        is_armed=_by_its_clubs,
    ),
}
"""By the ending of an agent's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A hostile agent as its docstring describes it."""

    path: Path
    sentence: str
    verdict: str
    limits: AgentLimits
    always_armed: bool
    """It attacks before it could know the game's seed, so no game of its batch is honest."""
    bites: bool
    """Without a sandbox the attack succeeds, harmlessly: the attempt is a real one."""

    @property
    def name(self) -> str:
        """Group and name: ``time/busy_loop``, ``time/BusyLoop.java``."""
        name = self.path.stem if self.path.suffix == ".py" else self.path.name
        return f"{self.path.parent.name}/{name}"

    @property
    def language(self) -> Language:
        """What it is written in."""
        return LANGUAGES[self.path.suffix]

    @property
    def suite(self) -> Path:
        """The directory of all agents that are played together with it."""
        return self.path.parent.parent

    def archive(self) -> bytes:
        """The agent as a submission, with the kit and files of its own beside it."""
        language = self.language
        files = {
            language.stored_as or self.path.name: self.path,
            language.kit: self.suite / language.kit,
        }
        folder = self.path.with_suffix("")
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                files[path.relative_to(folder).as_posix()] = path
        sources = (SourceFile(name, files[name].read_bytes()) for name in sorted(files))
        return Sources(files=tuple(sources)).archive()


def default_suite(name: str = "hostile") -> Path:
    """A folder of tests/ in the checkout that this code runs from. Raises SuiteError."""
    suite = Path(__file__).parents[2] / "tests" / name
    if not suite.is_dir():
        raise SuiteError(f"there is no tests/{name} here: name the folder of the programs")
    return suite


def read_suite(directory: Path) -> list[Specimen]:
    """All hostile agents of a suite, by group and name. Raises SuiteError."""
    if not any((directory / language.kit).is_file() for language in LANGUAGES.values()):
        kits = ", ".join(language.kit for language in LANGUAGES.values())
        raise SuiteError(f"{directory} holds no hostile agents: none of {kits} is in it")
    paths = [path for path in directory.glob("*/*") if path.suffix in LANGUAGES]
    return [read_specimen(path) for path in sorted(paths)]


def read_specimen(path: Path) -> Specimen:
    """Read an agent's docstring without running it. Raises SuiteError."""
    sentence, _, rest = _docstring(path).partition("\n\n")
    keys = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
    if "Verdict" not in keys:
        raise SuiteError(f"{path} declares no verdict")
    changes = {
        name: type(getattr(LIMITS, name))(value)
        for name, value in (word.split("=") for word in keys.get("Limits", "").split())
    }
    return Specimen(
        path=path,
        sentence=" ".join(sentence.split()),
        verdict=keys["Verdict"],
        limits=replace(LIMITS, **changes),
        always_armed=keys.get("Armed") == "always",
        bites=keys.get("Bites") == "yes",
    )


def _docstring(path: Path) -> str:
    """What a file says of itself at its beginning, without the margin of a comment."""
    match = LANGUAGES[path.suffix].docstring.match(path.read_text(encoding="utf-8"))
    if match is None:
        raise SuiteError(f"{path} does not say what it tries")
    return _MARGIN.sub("", match[1]) if path.suffix in {".java", ".h"} else match[1]


def load(path: Path) -> ModuleType:
    """A file's module, which no import would find."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise SuiteError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

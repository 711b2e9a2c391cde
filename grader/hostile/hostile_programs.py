"""Hostile agents as files: what each tries, and the verdict that it declares in its docstring.

A suite is a directory with one folder a group, one file an agent, and a kit for each language that
it has agents in: the kit lies beside every agent when it plays. An agent that brings more files has
them in a folder of its own name.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Final

from grader.core.errors import GraderError
from grader.core.games import DEFAULT_GAME
from grader.core.records import AgentLimits
from grader.interfaces.hostile import HostileLanguage, hostile_languages
from grader.uploads.archive import SourceFile, Sources

LIMITS: Final = AgentLimits(
    turn_seconds=3.0,
    turn_wall_seconds=9.0,
    start_seconds=2.0,
    memory_mib=96,
    stdout_bytes=128 << 10,
)
"""More time than a course gives, so that a busy host ends no program that is to be contained."""
SHORT_TURNS: Final = replace(LIMITS, turn_seconds=0.3, turn_wall_seconds=0.7)
"""For programs that must run out of time: each ends soon."""
_RUN_OUT_OF_TIME: Final = {"timeout", "idle"}
"""Verdicts on them."""


class SuiteError(GraderError):
    """A directory that is not a suite, or a file without a required declaration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The interface of its agents, and how their files are read and named."""

    interface: str
    game: str
    variant: str
    """The rules that they play by."""
    stored_as: str
    """The name of an agent's file in a submission; empty if it keeps its own."""
    spec: HostileLanguage

    @property
    def kit(self) -> str:
        """The file that they share."""
        return self.spec.kit


LANGUAGES: Final[Mapping[str, Language]] = {
    spec.suffix: Language(
        interface=interface.name,
        game=interface.rules.game or DEFAULT_GAME,
        variant=interface.rules.variant or "standard",
        stored_as=interface.upload.stored_as,
        spec=spec,
    )
    for interface, spec in hostile_languages()
}
"""By the ending of an agent's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileProgram:
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
        """The language that it is written in."""
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


def read_suite(directory: Path) -> list[HostileProgram]:
    """All hostile agents of a suite, by group and name. Raises SuiteError."""
    if not any((directory / language.kit).is_file() for language in LANGUAGES.values()):
        kits = ", ".join(language.kit for language in LANGUAGES.values())
        raise SuiteError(f"{directory} holds no hostile agents: none of {kits} is in it")
    paths = [path for path in directory.glob("*/*") if path.suffix in LANGUAGES]
    return [read_hostile_program(path) for path in sorted(paths)]


def read_hostile_program(path: Path) -> HostileProgram:
    """Read an agent's docstring without running it. Raises SuiteError."""
    sentence, _, rest = _docstring(path).partition("\n\n")
    keys = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
    if "Verdict" not in keys:
        raise SuiteError(f"{path} declares no verdict")
    return HostileProgram(
        path=path,
        sentence=" ".join(sentence.split()),
        verdict=keys["Verdict"],
        limits=_limits(keys["Verdict"], keys.get("Limits", "")),
        always_armed=keys.get("Armed") == "always",
        bites=keys.get("Bites") == "yes",
    )


def _limits(verdict: str, declared: str) -> AgentLimits:
    limits = SHORT_TURNS if verdict in _RUN_OUT_OF_TIME else LIMITS
    changes = {
        name: type(getattr(LIMITS, name))(value)
        for name, value in (word.split("=") for word in declared.split())
    }
    return replace(limits, **changes)


def _docstring(path: Path) -> str:
    text = LANGUAGES[path.suffix].spec.description(path.read_text(encoding="utf-8"))
    if text is None:
        raise SuiteError(f"{path} does not say what it tries")
    return text


def load(path: Path) -> ModuleType:
    """A file's module, which no import would find."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise SuiteError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

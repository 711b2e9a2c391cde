"""Facts from the code for the guide’s pages on interfaces: rules, limits, options, a program."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from grader.core.games import DEFAULT_GAME, GAMES, Game, game_from_options, player_counts
from grader.core.line_wire import transcript
from grader.core.records import AgentLimits, Mode
from grader.core.words import either
from grader.interfaces import BUILDER_MIB, INTERFACES, Interface
from grader.interfaces.declaration import Family
from grader.interfaces.guide import IN_PYTHON, guide_of
from grader.interfaces.starter_kit import starter_files
from webapp.pages.guide.pages import rules_page, shown

MEASURED: Final = Path(__file__).parent / "measured" / "paper.json"


@cache
def paper() -> dict[str, Any]:
    """Return the table's rows for each number of players, the paper's first."""
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    counts = dict.fromkeys(row["players"] for row in report["rows"])
    tables = [[row for row in report["rows"] if row["players"] == count] for count in counts]
    for number, row in enumerate(report["rows"]):
        row["name"] = f"paper-{number}"
        row["half_width"] = row["games"]["high"] - row["games"]["mean"]
    return {**report, "tables": tables}


def _of_family(family: Family) -> tuple[str, ...]:
    return tuple(name for name, interface in INTERFACES.items() if interface.family is family)


COURSES: Final = _of_family(Family.COURSE)
"""Interfaces of courses: their agents were written for certain rules, and each has a page."""


PROGRAMS: Final = _of_family(Family.PROGRAM)
"""Interfaces of programs that speak the wire protocol: its page is about them."""


LINES: Final = _of_family(Family.LINES)
"""Interfaces of programs that speak the lines of a game."""


def line_games() -> list[dict[str, str]]:
    """Return the games of this site that declare lines: their titles, and lines of a game."""
    games = [game.from_options({}) for game in GAMES.values() if game.lines is not None]
    return [
        {
            "title": game.title,
            "protocol": game.lines.title,
            "reply": game.lines.reply,
            "transcript": transcript(game, turns=2),
        }
        for game in games
        if game.lines is not None
    ]


def page_of(interface: str) -> str:
    """The slug of the page on an interface: its folder's, or that of the wire protocol."""
    folder = INTERFACES[interface].folder.name
    return "protocol" if interface in PROGRAMS else folder.replace("_", "-")


def interface_context(name: str) -> dict[str, Any]:
    """The variables of one interface's page."""
    interface, limits = INTERFACES[name], AgentLimits()
    guide = guide_of(interface)
    game = GAMES[interface.rules.game]
    program = program_of(name)
    consequences = [row for row in guide.consequences.values() if row not in IN_PYTHON.values()]
    return {
        "interface": interface,
        "program": program,
        "stem": PurePosixPath(program["name"]).stem,
        "kit": _kit(name),
        "game": game.title,
        "rules_page": rules_page(game.name),
        "competitive": game.competitive,
        "rules": _rules(interface),
        "players": _players(interface),
        "rules_title": _own_rules(interface).rules_title,
        "limits": limits,
        "memory_mib": limits.memory_mib + interface.allowance.memory_mib,
        "start_seconds": limits.start_seconds + interface.allowance.start_seconds,
        "build": _build_row(interface, limits),
        "consequences": consequences,
        "is_python": len(consequences) < len(guide.consequences),
        "plays_as_team": Mode.TEAM in interface.modes,
        "paper": paper,
        "scores": _own_rules(interface).score_range,
    }


@dataclass(frozen=True, slots=True)
class InterfaceRule:
    """An option of the rules that an interface's variant sets otherwise than the standard rules."""

    name: str
    value: str
    standard: str


def _rules(interface: Interface) -> tuple[InterfaceRule, ...]:
    """Return the rules in which the variant differs, with its default number of players."""
    game = _own_rules(interface)
    own = game.options
    standard = type(game).from_options({"players": own["players"]}).options
    return tuple(
        InterfaceRule(name, shown(own[name]), shown(standard[name]))
        for name in own
        if name != "variant" and own[name] != standard[name]
    )


def _own_rules(interface: Interface) -> Game:
    return game_from_options(interface.rules.game, {"variant": interface.rules.variant})


def _players(interface: Interface) -> str:
    if interface.rules.players:
        return either(interface.rules.players)
    fewest, *_, most = player_counts(GAMES[interface.rules.game], interface.rules.variant)
    return f"{fewest} to {most}"


@cache
def program_of(name: str, game: str = "") -> Mapping[str, str]:
    """The only source file of the starter kit for this game, by default for the default game."""
    game = game or INTERFACES[name].rules.game or DEFAULT_GAME
    files = starter_files(game, interface=name, library=False)
    endings = INTERFACES[name].upload.suffixes
    (file,) = [file for file in files if PurePosixPath(file).suffix in endings]
    return {"name": file, "text": files[file].decode().rstrip()}


@cache
def _kit(name: str) -> tuple[str, ...]:
    """The names of the kit's files; of a folder only its own."""
    files = starter_files(INTERFACES[name].rules.game or DEFAULT_GAME, interface=name)
    program = program_of(name)["name"]
    tops = (
        file if file == program else file.partition("/")[0] + "/" * ("/" in file) for file in files
    )
    return tuple(dict.fromkeys(tops))


@dataclass(frozen=True, slots=True)
class BuildRow:
    """The limits of compiling an agent: time and memory."""

    interface: Interface
    slug: str
    seconds: str
    memory: str


def build_rows(limits: AgentLimits) -> tuple[BuildRow, ...]:
    """The limits of compiling, interface by interface."""
    return tuple(_build_row(interface, limits) for interface in INTERFACES.values())


def _build_row(interface: Interface, limits: AgentLimits) -> BuildRow:
    memory = f"{limits.memory_mib + interface.allowance.memory_mib} MiB"
    if interface.runtime.builder:
        memory = f"{BUILDER_MIB} MiB for each process"
    seconds = f"{interface.build.seconds:g} s"
    return BuildRow(interface, page_of(interface.name), seconds, memory)

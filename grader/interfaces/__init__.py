"""Interfaces of agents: a folder for each, with the code that runs beside agents.

Each folder is found by its ``interface.py``. Its packages run inside the sandbox and are untrusted
there: the grader must never import them to decide anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

from grader.core.errors import RecordError
from grader.core.games import Game
from grader.core.records import Mode
from grader.core.words import either
from grader.interfaces.declaration import Family, Interface

__all__ = [
    "BUILDER_MIB",
    "BUILD_OUTPUT_BYTES",
    "DEFAULT_INTERFACE",
    "INTERFACES",
    "Interface",
    "interface_named",
    "mode_of",
    "unfit",
]

BUILD_OUTPUT_BYTES: Final = 32 << 20
"""Most that compiling an agent may make."""
BUILDER_MIB: Final = 768
"""Memory of each of a compiler's processes, where it is a program of its own."""


def _declared() -> Iterator[Interface]:
    for path in Path(__file__).parent.glob("*/interface.py"):
        module = import_module(f"{__name__}.{path.parent.name}.interface")
        if hasattr(module, "INTERFACES"):
            yield from module.INTERFACES
        else:
            yield module.INTERFACE


def _place(interface: Interface) -> tuple[int, bool, str]:
    kit = interface.kit
    installed = kit is not None and kit.installed
    return list(Family).index(interface.family), not installed, interface.title


INTERFACES: Final[Mapping[str, Interface]] = MappingProxyType(
    {interface.name: interface for interface in sorted(_declared(), key=_place)}
)
"""All interfaces by name, in the order in which people are offered them: by family, then title."""
DEFAULT_INTERFACE: Final = next(iter(INTERFACES))


def interface_named(name: str) -> Interface:
    """Return the interface of this name. Raises RecordError for one that this Firebox lacks."""
    try:
        return INTERFACES[name]
    except KeyError:
        raise RecordError(f"there is no interface {name!r}") from None


def unfit(interface: Interface, game: Game) -> str:
    """Return why no agent of this interface can play by these rules; empty if one can.

    An agent that was written for certain rules has the cards, the tokens and the order of a hand
    built in. The rules may only differ in when a game is lost, and in what is illegal.
    """
    rules = interface.rules
    if rules.game not in {"", game.name}:
        return f"{interface.title}: its agents play {rules.game}, not {game.name}."
    if not interface.plays(type(game)):
        return f"{interface.title}: {game.title} declares no lines for such programs."
    if rules.players and game.seats not in rules.players:
        return f"{interface.title}: a game has {either(rules.players)} players, not {game.seats}."
    if not rules.variant:
        return ""
    known = type(game).from_options({"variant": rules.variant, "players": game.seats}).options
    wrong = [name for name in rules.fixed_options if known.get(name) != game.options.get(name)]
    if not wrong:
        return ""
    words = ", ".join(f"{name} is {game.options.get(name)}" for name in wrong)
    return f"{interface.title}: its agents play the variant {rules.variant}, but {words}."


def mode_of(interfaces: Sequence[str], seating: Sequence[int], asked: Mode | None) -> Mode:
    """Return the mode of a table at which agents of these interfaces sit as ``seating`` says.

    An agent that has all seats plays as its interface prefers; different agents always sit in
    processes of their own, unless that is what was ``asked`` for. Raises RecordError.
    """
    if asked is None:
        alone = set(seating) == {0} and len(interfaces) == 1
        return interface_named(interfaces[0]).modes[0] if alone else Mode.SEAT
    for name in interfaces:
        if asked not in interface_named(name).modes:
            raise RecordError(f"agents of the interface {name} are not played in mode {asked}")
    return asked

"""The agents that a command names: a file, a zip, a folder, or one of the house's."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.exits import UsageError
from grader.core.games import GAMES
from grader.core.records import AgentRef
from grader.core.words import counted
from grader.house.catalogue import AGENTS
from grader.interfaces import INTERFACES, Interface, interface_named
from grader.interfaces.recognise import recognise
from grader.interfaces.starter_kit import library_of
from grader.uploads.archive import Sources, read_upload
from grader.uploads.lighten import Light, lightened
from grader.uploads.project_folder import packed_folder

HOUSE: Final = "house:"

_GAME_TYPES: Final = re.compile(rf"\bfirebox\.({'|'.join(GAMES)})\b".encode())


@dataclass(frozen=True, slots=True)
class NamedAgent:
    """One agent, ready to be handed to a runner."""

    name: str
    """As the user named it."""
    ref: AgentRef
    archive: bytes
    """Its sources, packed as the store has them."""
    game: str = ""
    """The game that it plays, if its sources show it."""
    notes: tuple[str, ...] = ()
    """On files that were left out of its sources."""
    ours: frozenset[str] = frozenset()
    """Names of its files that are as the starter kit has them: builds use our own, of course."""


@dataclass(frozen=True, slots=True)
class SeatedAgents:
    """The agents of a game, and their seats."""

    programs: tuple[NamedAgent, ...]
    """Different ones, the evaluated agent first."""
    seating: tuple[int, ...]
    """For each seat, the position of its program."""

    @property
    def program_names(self) -> tuple[str, ...]:
        """The programs as the user named them, in their order."""
        return tuple(program.name for program in self.programs)

    @property
    def notes(self) -> dict[str, tuple[str, ...]]:
        """On files that were left out, by the programs as the user named them."""
        return {program.name: program.notes for program in self.programs}

    @property
    def names(self) -> str:
        """Return the seats' agents as text."""
        if len(self.programs) == 1:
            return self.programs[0].name
        return ", ".join(self.programs[position].name for position in self.seating)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The interface of agents, if the user named it."""

    interface: str = ""
    """Empty: found out from the sources."""
    agent_class: str = ""
    """The class that plays, where an upload can name it."""
    options: tuple[str, ...] = ()
    """The interface's own options that are switched on."""


ANY: Final = Written()


def load(name: str, written: Written = ANY) -> NamedAgent:
    """Read the agent that the user named, as the site does. Raises UsageError, UploadRejected."""
    interface, sources = _read(name, written)
    house_agent = AGENTS.get(name.removeprefix(HOUSE)) if name.startswith(HOUSE) else None
    own = house_agent.game if house_agent else interface.rules.game
    game = own or _imported_game(sources)
    options = tuple(sorted(set(written.options) & set(interface.options)))
    archive = sources.archive()
    digest = hashlib.sha256(archive).hexdigest()
    ref = AgentRef(interface=interface.name, sha256=digest, options=options)
    library = library_of(interface)
    ours = (file.name for file in sources.files if library.get(file.name) == file.data)
    return NamedAgent(name, ref, archive, game, tuple(sources.notes), frozenset(ours))


def _imported_game(sources: Sources) -> str:
    games = {name.decode() for file in sources.files for name in _GAME_TYPES.findall(file.data)}
    return games.pop() if len(games) == 1 else ""


def load_all(names: Sequence[str], written: Written = ANY) -> tuple[NamedAgent, ...]:
    """All of them, in order. Raises like ``load``, and UsageError for an option of none of them."""
    programs = tuple(load(name, written) for name in names)
    known = {option for program in programs for option in program.ref.options}
    if strange := [option for option in written.options if option not in known]:
        raise UsageError(
            f"--interface-option {strange[0]}: these agents' interfaces have no such option"
        )
    return programs


def seat_agents(loaded: Sequence[NamedAgent], players: int) -> SeatedAgents:
    """One agent takes all seats, several take one each. Raises UsageError."""
    if len(loaded) not in {1, players}:
        raise UsageError(
            f"{counted(len(loaded), 'agent')} cannot share {counted(players, 'seat')}:"
            f" name one agent for all of them, or {players}, or set --players"
        )
    programs: list[NamedAgent] = []
    seating = []
    for program in loaded:
        known = [other.ref for other in programs]
        if program.ref not in known:
            programs.append(program)
            known.append(program.ref)
        seating.append(known.index(program.ref))
    return SeatedAgents(tuple(programs), tuple(seating) if len(loaded) > 1 else (0,) * players)


def seat_among(
    agent: NamedAgent, others: Sequence[NamedAgent], *, seat: int, players: int
) -> SeatedAgents:
    """Seat the agent at ``seat`` and one or several others at the rest. Raises UsageError."""
    if not 0 <= seat < players:
        raise UsageError(f"--seat is {seat + 1}; seats are 1 to {players}")
    if len(others) not in {1, players - 1}:
        raise UsageError(
            f"{counted(len(others), 'agent')} cannot share {counted(players - 1, 'other seat')}:"
            f" name one --with for all of them, or {players - 1}, or set --players"
        )
    rest = list(others) if len(others) > 1 else [*others] * (players - 1)
    return seat_agents([*rest[:seat], agent, *rest[seat:]], players)


def table_against(agent: NamedAgent, opponents: Sequence[NamedAgent], players: int) -> SeatedAgents:
    """The agent, and whom it plays against, one after another. Equal programs stay apart."""
    return SeatedAgents((agent, *opponents), (0,) + (1,) * (players - 1))


def _read(name: str, written: Written) -> tuple[Interface, Sources]:
    if name.startswith(HOUSE):
        return _house(name.removeprefix(HOUSE))
    played = [each for each in INTERFACES.values() if any(map(each.plays, GAMES.values()))]
    interfaces = [written.interface] if written.interface else [each.name for each in played]
    try:
        filename, upload = upload_of(Path(name))
        return recognise(filename, upload.data, interfaces, agent_class=written.agent_class)
    except OSError as error:
        raise UsageError(
            f"cannot read the agent {name}: {error.strerror};"
            f" an agent is a source file, a .zip or a folder with its sources, or {HOUSE}NAME"
        ) from error


def upload_of(path: Path) -> tuple[str, Light]:
    """Return the upload's filename and file, lightened. Raises OSError or UploadRejected."""
    if path.is_dir():
        return f"{path.resolve().name}.zip", packed_folder(path)
    with path.open("rb") as file:
        return path.name, lightened(path.name, file)


def _house(name: str) -> tuple[Interface, Sources]:
    if name not in AGENTS:
        alike = [
            known
            for known, agent in AGENTS.items()
            if name.lower() in {known.rpartition("/")[2], agent.title.lower()}
        ]
        known = f"did you mean {HOUSE}{alike[0]}?" if alike else f"there are {', '.join(AGENTS)}"
        raise UsageError(f"there is no house agent {name!r}; {known}")
    interface = interface_named(AGENTS[name].interface)
    return interface, read_upload("house.zip", AGENTS[name].bundle(), interface.upload)

"""Arguments that several commands share, and their meaning: rules, limits, deals."""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from grader.cli.agents import NamedAgent, Written, load_all
from grader.cli.command_line import argument
from grader.cli.exits import UsageError
from grader.cli.kit import KitRules, rules_beside
from grader.cli.output import warn
from grader.cli.slots import usable_cores
from grader.core.deals import deal_seed, practice_secret
from grader.core.games import DEFAULT_GAME, GAMES, Game, game_from_options
from grader.core.records import AgentLimits, AgentRef, Mode
from grader.core.words import counted
from grader.interfaces import INTERFACES, interface_named, unfit
from grader.play.build_cache import BuildCache
from grader.play.slot import Slot
from sandbox.errors import LimitError, SandboxError
from sandbox.images import ensure_image
from sandbox.limits import Limits

_SEED_PREFIX: Final = b"firebox seed v1 "
_DECISIVE: Final = ("variant", "players")
"""Options from which the defaults of all others follow."""
_INTERFACE_OPTIONS: Final = sorted(
    {name for interface in INTERFACES.values() for name in interface.options}
)
_WAY_OUT: Final = "For agents that you trust, --no-sandbox plays without Docker."
CLASS_HELP: Final = "the class that plays, if several could"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentArguments:
    """The agents that play, where they run, and what they may use."""

    names: tuple[str, ...] = argument(
        nargs="*",
        metavar="AGENT",
        help="a source file, a .zip or a folder with sources, or house:NAME; one plays all seats,"
        " several one seat each",
    )
    interface: str | None = argument(
        "--interface",
        choices=sorted(INTERFACES),
        help="the agents' interface; default: recognised from their sources",
    )
    agent_class: str = argument("--class", metavar="NAME", help=CLASS_HELP)
    interface_option: tuple[str, ...] = argument(
        "--interface-option",
        metavar="NAME",
        choices=_INTERFACE_OPTIONS,
        help="switch on an option of the interface: " + ", ".join(_INTERFACE_OPTIONS),
    )
    mode: str | None = argument(
        "--mode",
        choices=[mode.value for mode in Mode],
        help="a process for each seat, or one for all seats of an agent; default: as"
        " the interface prefers",
    )
    no_sandbox: bool = argument(
        "--no-sandbox",
        help="run agents as plain processes with your own rights: only for agents that you trust",
    )
    limit: tuple[str, ...] = argument(
        "--limit",
        metavar="NAME=VALUE",
        help="change a limit: " + ", ".join(each.name for each in fields(AgentLimits)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesArguments:
    """The game and its rules."""

    game: str | None = argument(
        "--game",
        help=f"{', '.join(sorted(GAMES))}; default: that of the rules.json beside the agent, or of"
        " its sources",
    )
    variant: str | None = argument(
        "--variant",
        help="named variant; default: that of the rules.json beside the agent, else standard",
    )
    players: int | None = argument(
        "--players", help="number of seats; default: one for each agent, or the game's usual number"
    )
    set: tuple[str, ...] = argument(
        "--set",
        metavar="OPTION=VALUE",
        help="change one option of the rules, for example --set lives=2; may be repeated",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DealArguments:
    """The choice of deals."""

    secret: str | None = argument(
        "--secret",
        group="deals",
        metavar="HEX",
        help="the evaluation secret from which all deals are derived; default: the public one for"
        " practice",
    )
    seed: int | None = argument(
        "--seed",
        group="deals",
        metavar="N",
        help="derive the deals from this number instead of using the practice deals",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputArguments:
    """The cores that many games are played on, and the place of their results."""

    slots: int | None = argument(
        "--slots", metavar="N", help="processor cores to play on; default: all"
    )
    json: bool = argument("--json")
    output: Path | None = argument(
        "--output",
        metavar="FILE",
        help="save every game, for `firebox replay` and `firebox verify`",
    )


def agents_of(arguments: AgentArguments) -> tuple[NamedAgent, ...]:
    """The agents that were named, at least one. Raises UsageError and UploadRejected."""
    if not arguments.names:
        raise UsageError("name an AGENT: a source file, a .zip, a folder, or house:NAME")
    written = Written(
        interface=arguments.interface or "",
        agent_class=arguments.agent_class,
        options=arguments.interface_option,
    )
    return load_all(arguments.names, written)


def mode_of(arguments: AgentArguments) -> Mode | None:
    """The mode that was asked for."""
    return None if arguments.mode is None else Mode(arguments.mode)


def agent_words(arguments: AgentArguments) -> list[str]:
    """The arguments, for another command, that name the same agents in the same mode."""
    words = [*arguments.names]
    words += [] if arguments.interface is None else ["--interface", arguments.interface]
    words += ["--class", arguments.agent_class] if arguments.agent_class else []
    for option in arguments.interface_option:
        words += ["--interface-option", option]
    return words + ([] if arguments.mode is None else ["--mode", arguments.mode])


def slot_for(refs: Sequence[AgentRef], *, no_sandbox: bool) -> Slot:
    """Return the slot for these agents: any core, and sandboxed unless the user switched that off.

    Raises a SandboxError at once, where a runner would wait for Docker to come back, and UsageError
    for agents that are not played without.
    """
    confined = _sandboxed(refs, no_sandbox=no_sandbox)
    builds = _build_cache() if confined else None
    return Slot(core=None, sandboxed=confined, has_bans=not confined, builds=builds)


def _sandboxed(refs: Sequence[AgentRef], *, no_sandbox: bool) -> bool:
    interfaces = [interface_named(ref.interface) for ref in refs]
    bound = next((interface for interface in interfaces if interface.needs_sandbox), None)
    if no_sandbox:
        if bound is not None:
            raise UsageError(f"--no-sandbox: agents in {bound.upload.language} need Docker")
        return False
    try:
        for runtime in sorted({name for interface in interfaces for name in interface.images}):
            ensure_image(runtime)
    except SandboxError as error:
        if bound is None:
            error.add_note(_WAY_OUT)
        raise
    return True


def _build_cache() -> BuildCache | None:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    try:
        return BuildCache(Path(home) / "firebox" / "builds")
    except OSError:
        return None


def cores_of(slots: int | None) -> Sequence[int]:
    """The processor cores to play on. Raises UsageError."""
    cores = usable_cores()
    if slots is None:
        return cores
    if not 1 <= slots <= len(cores):
        has = counted(len(cores), "usable core")
        raise UsageError(f"--slots is {slots}; this computer has {has}")
    return cores[:slots]


def game_of(
    arguments: RulesArguments,
    agents: Sequence[NamedAgent] = (),
    *,
    named: Sequence[str] = (),
    has_others: bool = False,
) -> Game:
    """The rules that were asked for, with seats for these agents if that was left open.

    Without any, those beside the agents as they were ``named``, or those that all of them were
    written for. Some agents are partners or opponents of one if it ``has_others``. Raises
    RulesError, and UsageError for rules that one of them can't play by.
    """
    variants = {interface_named(agent.ref.interface).rules.variant for agent in agents} - {""}
    default = variants.pop() if len(variants) == 1 else "standard"
    beside = rules_beside(named)
    name = arguments.game or (beside.game if beside else _game_played(agents))
    options: dict[str, Any] = {"variant": arguments.variant or default}
    if arguments.variant is None:
        if beside and beside.game == name:
            options |= _for_players(beside, arguments.players)
        elif any(Path(agent).exists() for agent in named):
            what = (
                f"the rules of variant {default}" if default != "standard" else "the standard rules"
            )
            warn(f"No rules.json with the agent: these are {what} (see --variant).")
    if arguments.players is not None:
        options["players"] = arguments.players
    if len(agents) > 1 and not has_others:
        options.setdefault("players", len(agents))
    elif name in GAMES:
        options.setdefault("players", GAMES[name].default_players)
    game = game_from_options(name, {**options, **_assignments(arguments.set)})
    for agent in agents:
        if complaint := _unplayable(agent, game):
            raise UsageError(f"{agent.name} cannot play by these rules. {complaint}")
    return game


def _for_players(beside: KitRules, players: int | None) -> dict[str, Any]:
    """Return a kit's options for another number of players: what follows from it is left open.

    A kit spells out every option. Raises RulesError.
    """
    if players is None:
        return beside.options
    given = beside.options
    written: dict[str, Any] = {name: given[name] for name in _DECISIVE if name in given}
    default = game_from_options(beside.game, written).options
    chosen = {name: value for name, value in given.items() if value != default.get(name)}
    return written | chosen | {"players": players}


def _game_played(agents: Sequence[NamedAgent]) -> str:
    played = sorted({agent.game for agent in agents} - {""})
    if len(played) > 1:
        raise UsageError(f"the agents play different games: {', '.join(played)} (see --game)")
    return played[0] if played else DEFAULT_GAME


def _unplayable(agent: NamedAgent, game: Game) -> str:
    if agent.game not in {"", game.name}:
        return f"It plays {agent.game}, not {game.name}."
    return unfit(interface_named(agent.ref.interface), game)


def rules_words(arguments: RulesArguments, game: Game) -> list[str]:
    """The arguments, for another command, that ask for the same rules of this game."""
    words = ["--game", game.name]
    words += [] if arguments.variant is None else ["--variant", arguments.variant]
    words += [] if arguments.players is None else ["--players", str(arguments.players)]
    return words + [word for option in arguments.set for word in ("--set", option)]


def limits_of(arguments: AgentArguments) -> AgentLimits:
    """The default limits with those that were changed. Raises UsageError."""
    changed = _assignments(arguments.limit)
    kinds = {field.name: type(field.default) for field in fields(AgentLimits)}
    for name, value in changed.items():
        if name not in kinds:
            raise UsageError(f"there is no limit {name!r}; limits are {', '.join(kinds)}")
        if type(value) not in {int, kinds[name]}:
            what = "a number" if kinds[name] is float else "a whole number"
            raise UsageError(f"--limit {name}={value}: it must be {what}")
    limits = AgentLimits(**changed)
    try:
        Limits(**asdict(limits))
    except LimitError as error:
        raise UsageError(f"--limit: {error}") from error
    return limits


def _assignments(texts: Iterable[str]) -> dict[str, Any]:
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"{text!r} is not of the form NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
        except RecursionError:
            raise UsageError(f"{name}: its value is nested too deeply") from None
    return options


def secret_of(arguments: DealArguments, *, default: bytes) -> bytes:
    """The secret that was asked for. Raises UsageError."""
    if arguments.seed is not None:
        return hashlib.sha256(_SEED_PREFIX + str(arguments.seed).encode()).digest()
    if arguments.secret is None:
        return default
    try:
        secret = bytes.fromhex(arguments.secret)
        deal_seed(secret, 0)
    except ValueError as error:
        raise UsageError(f"--secret: {error}") from error
    return secret


def game_secret_of(arguments: DealArguments, game: Game | type[Game]) -> bytes:
    """The secret that was asked for, or that of the game's practice deals. Raises UsageError."""
    return secret_of(arguments, default=practice_secret(game.practice_blocks))


def deal_of(arguments: DealArguments, game: Game, *, deal: str | None, index: int) -> str:
    """The deal that was asked for, in hexadecimal digits. Raises UsageError."""
    if deal is None:
        if index < 0:
            raise UsageError(f"--index is {index}; the first game is number 0")
        secret = game_secret_of(arguments, game)
        try:
            return deal_seed(secret, index).hex()
        except ValueError as error:
            raise UsageError(f"--index: {error}") from error
    try:
        seed = bytes.fromhex(deal)
    except ValueError as error:
        raise UsageError(f"--deal: {error}") from error
    if len(seed) != 32:
        raise UsageError(f"--deal has 64 hexadecimal digits, not {2 * len(seed)}")
    return seed.hex()

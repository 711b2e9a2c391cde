"""Starter kits: an agent that plays, a README, ``rules.json`` and our types, as a folder."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from grader.core import wire
from grader.core.deals import agent_seed, deal_seed, practice_secret
from grader.core.errors import RulesError
from grader.core.games import Game, JsonObject, folder_of, game_from_options, module_of
from grader.core.games.uploaded import UploadedGame
from grader.core.line_wire import transcript
from grader.core.referee import Reply, referee
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, Interface, unfit
from grader.interfaces.declaration import KitLibrary

_RULES: Final = "rules.json"
EXAMPLE: Final = "example.json"
"""The file with the messages that begin a game, in kits whose README names it."""
_LINES: Final = "example.txt"
"""The same for programs that speak lines."""
_README: Final = "README.md"
_INSTALL: Final = "pip install GAME  # the folder of the game, which your instructor has\n"
_DATE: Final = (1980, 1, 1, 0, 0, 0)


def starter_files(
    game: str,
    options: JsonObject | None = None,
    *,
    library: bool = True,
    interface: str = DEFAULT_INTERFACE,
) -> Mapping[str, bytes]:
    """The kit's files by name, sorted; without ``library`` for where ``firebox`` is installed.

    Options that are not given are those of the variant that the interface's agents play. Raises
    RulesError for a game or options that can't be played, or not by agents of this interface;
    LookupError for want of a kit.
    """
    if interface not in INTERFACES:
        raise LookupError(f"there is no starter kit for the interface {interface}")
    declared = INTERFACES[interface]
    rules = _rules(game, options or {}, declared)
    files = _game_files(rules, declared)
    files[_RULES] = _json({"game": _name_at_home(rules), "options": dict(rules.options)})
    if library and declared.kit is not None:
        files.update(_library(declared.kit))
    return dict(sorted(files.items()))


def starter_kit(
    game: str,
    options: JsonObject | None = None,
    *,
    folder: str = "",
    interface: str = DEFAULT_INTERFACE,
) -> bytes:
    """The kit as a zip, the same bytes every time; ``folder`` is one to put all files in.

    Raises LookupError for want of a kit.
    """
    archive = io.BytesIO()
    prefix = f"{folder}/" if folder else ""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in starter_files(game, options, interface=interface).items():
            entry = zipfile.ZipInfo(prefix + name, _DATE)
            entry.external_attr = 0o644 << 16
            out.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def write_starter_kit(
    directory: Path,
    game: str,
    options: JsonObject | None = None,
    *,
    library: bool = False,
    interface: str = DEFAULT_INTERFACE,
) -> tuple[str, ...]:
    """Write the kit's files into a directory; return their names.

    Raises FileExistsError, before anything is written, rather than overwrite a file.
    """
    files = starter_files(game, options, library=library, interface=interface)
    for name in files:
        if (directory / name).exists():
            raise FileExistsError(f"{directory / name} exists already")
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tuple(files)


def _rules(name: str, options: JsonObject, interface: Interface) -> Game:
    default = {"variant": interface.rules.variant} if interface.rules.variant else {}
    game = game_from_options(name, {**default, **options})
    if not game.is_installed:
        raise LookupError(f"{game.title} is not installed here")
    if complaint := unfit(interface, game):
        raise RulesError(complaint)
    return game


def _game_files(rules: Game, interface: Interface) -> dict[str, bytes]:
    """Return the files of the interface's ``starter``, with the game's own instead of some."""
    if interface.rules.lines:
        return _line_files(rules, interface)
    words = _words(rules)
    general, own = interface.folder / "starter", folder_of(type(rules)) / "starter"
    files = {name: _filled(data.decode(), words).encode() for name, data in _files(general, "")}
    if (own / interface.folder.name).is_dir():
        files |= _files(own / interface.folder.name, "")
    return files | ({EXAMPLE: _example(rules)} if EXAMPLE.encode() in files[_README] else {})


def _line_files(rules: Game, interface: Interface) -> dict[str, bytes]:
    program = _line_program(type(rules), interface)
    has = "It already plays: improve it, then submit it" if program else "You write it"
    words = {**_words(rules), "lines": rules.lines.title if rules.lines else "", "has": has}
    words["program"] = next(iter(program), interface.upload.stored_as or "Main.java")
    general = _files(interface.folder / "starter", "")
    texts = {name: _filled(data.decode(), words).encode() for name, data in general}
    return {**texts, **program, _LINES: transcript(rules).encode()}


def has_program(game: type[Game], interface: Interface) -> bool:
    """Return whether the kit has a program, which for lines only the game's package can bring."""
    return not interface.rules.lines or bool(_line_program(game, interface))


def _line_program(game: type[Game], interface: Interface) -> dict[str, bytes]:
    folder = folder_of(game) / "starter" / interface.name
    return dict(_files(folder, "")) if folder.is_dir() else {}


def _filled(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"<<{name}>>", word)
    return text


def _name_at_home(rules: Game) -> str:
    return rules.facts.own_name if isinstance(rules, UploadedGame) else rules.name


def _words(rules: Game) -> Mapping[str, str]:
    opponent = f"house:{_name_at_home(rules)}/{_weakest(rules)}"
    install = _INSTALL if rules.folder else ""
    if rules.competitive:
        return {
            "title": rules.title,
            "play": f"{install}firebox play . --with {opponent}",
            "evaluate": f"firebox evaluate . --against {opponent} --games 100",
        }
    return {
        "title": rules.title,
        "play": f"{install}firebox play .",
        "evaluate": "firebox evaluate . --games 100",
    }


def _weakest(rules: Game) -> str:
    own = module_of(type(rules), "agents")
    if own is None or getattr(own, "RANDOM", True):
        return "random_legal"
    return str(next(iter(own.NAMES)))


def _example(rules: Game) -> bytes:
    if isinstance(rules, UploadedGame):
        return _uploaded_example(rules)
    play = referee(rules, deal_seed(practice_secret(rules.practice_blocks), 0))
    messages: dict[str, JsonObject] = {}
    answer = None
    while "turn" not in messages:
        turn = play.send(answer)
        messages.setdefault(turn.message["type"], turn.message)
        answer = Reply(None, 0)
    return _json(messages)


def _uploaded_example(rules: UploadedGame) -> bytes:
    turn, seed = rules.facts.example, deal_seed(practice_secret(b""), 0)
    if turn is None:
        raise LookupError(f"{rules.title} has no example of a turn")
    start = wire.start_message(
        game=rules.name,
        rules_version=rules.rules_version,
        options=rules.options,
        seat=turn.seat,
        players=rules.seats,
        seed=agent_seed(seed, turn.seat),
    )
    first = wire.turn_message(0, turn.events, turn.observation, turn.legal)
    return _json({"start": start, "turn": first})


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"


def library_of(interface: Interface) -> dict[str, bytes]:
    """Return our own files in an interface's kit, by their names there."""
    return {} if interface.kit is None else dict(_library(interface.kit))


def _library(kit: KitLibrary) -> Iterator[tuple[str, bytes]]:
    for name, data in _files(kit.path, kit.put):
        if name.endswith(kit.only) and not name.endswith(kit.without):
            yield name, data.replace(*kit.replaced) if kit.replaced[0] else data


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith(("__", ".")):
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry.read_bytes()

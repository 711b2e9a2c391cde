"""The pages on interfaces: what they declare, offer and need is on them, and nothing else."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from firebox_cpp import compiler
from grader.cli.arguments import agents_of, game_of
from grader.cli.command_line import read
from grader.cli.main import parser as command_line
from grader.cli.play import PlayArguments
from grader.core.games import GAMES
from grader.core.games.hanabi import SWAPS_PER_TURN
from grader.core.records import AgentLimits, Mode
from grader.interfaces import INTERFACES
from grader.interfaces import starter_kit as starter_kits
from grader.interfaces.cs221_python.firebox_cs221.names import SIMULATOR_MODULES
from grader.interfaces.declaration import KnownRules
from grader.interfaces.guide import guide_of
from tests.support import pages
from tests.support.every import every
from tests.webapp.guide.reading import plain, text_of
from webapp.pages.guide import interfaces as guide_interfaces
from webapp.pages.guide.interfaces import COURSES, interface_context, page_of
from webapp.pages.guide.pages import PAGES, GuidePart, shown

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("interface", ["uwa-java", "gcc-cpp"])
def test_several_files_are_played_as_a_folder(interface: str) -> None:
    assert "if you have several files, name the folder" in text_of(interface).lower()


def test_the_commands_for_java_work_in_the_kits_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, data in starter_kits.starter_files("hanabi", interface="uwa-java").items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    assert "firebox play agents" in text_of("uwa-java")
    arguments = read(PlayArguments, command_line().parse_args(["play", "agents"]))
    (program,) = agents_of(arguments.agents)
    assert program.ref.interface == "uwa-java"
    assert game_of(arguments.rules, [program], named=["agents"]).options["variant"] == "uwa"


@every("interface", INTERFACES)
def test_every_interface_has_its_page(interface: str) -> None:
    assert page_of(interface) in {
        entry.slug for entry in PAGES if entry.part is GuidePart.WRITTEN_IN
    }


def test_every_interface_that_knows_its_rules_has_a_page_of_its_own() -> None:
    assert all(page_of(name) == name for name in COURSES)
    assert len(COURSES) >= 4


@pytest.mark.parametrize("name", COURSES)
def test_a_page_shows_the_agent_of_its_starter_kit_as_it_is(name: str) -> None:
    files = starter_kits.starter_files(INTERFACES[name].rules.game, interface=name, library=False)
    (source,) = [
        data.decode()
        for file, data in files.items()
        if file.endswith(INTERFACES[name].upload.suffixes)
    ]
    text = text_of(name)
    assert source.rstrip() in text
    assert f"firebox new my-agent --interface {name}" in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_names_the_files_of_its_starter_kit(name: str) -> None:
    text = text_of(name)
    for file in starter_kits.starter_files(INTERFACES[name].rules.game, interface=name):
        assert file in text or f"{file.partition('/')[0]}/" in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_says_what_can_be_uploaded(name: str) -> None:
    shape, text = INTERFACES[name].upload, text_of(name)
    assert all(suffix in text for suffix in shape.suffixes)
    assert shape.keeps_name == ("A single file keeps its name." in text)
    assert shape.keeps_name or f"A single file is called {shape.stored_as}," in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_has_the_rules_of_its_variant_where_they_differ(name: str) -> None:
    interface, text = INTERFACES[name], text_of(name)
    game = GAMES[interface.rules.game]
    own = game.from_options({"variant": interface.rules.variant}).options
    standard = game.from_options({"players": own["players"]}).options
    for option in set(own) - {"variant"}:
        row = f"{option}{shown(own[option])}{shown(standard[option])}"
        assert (row in text) == (own[option] != standard[option])
    title = game.variant_title(interface.rules.variant)
    assert f"{title}, the variant {interface.rules.variant}, with" in text


@pytest.mark.parametrize(
    ("game", "variant", "players"), [("hanabi", "uwa", "2 to 5"), ("hearts", "standard", "2 to 4")]
)
def test_a_page_on_an_interface_for_any_number_of_seats_has_those_of_its_game(
    game: str, variant: str, players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    interface = INTERFACES["fit2102-haskell"]
    rules = KnownRules(game=game, variant=variant)
    monkeypatch.setattr(
        guide_interfaces, "INTERFACES", {**INTERFACES, "any": replace(interface, rules=rules)}
    )
    monkeypatch.setattr(guide_interfaces, "program_of", lambda _: {"name": "a.hs", "text": ""})
    monkeypatch.setattr(guide_interfaces, "_kit", lambda _: ())
    assert interface_context("any")["players"] == players


@pytest.mark.parametrize("name", COURSES)
def test_a_page_has_every_option_and_mode_of_its_interface(name: str) -> None:
    interface, text = INTERFACES[name], text_of(name)
    for option, meaning in interface.options.items():
        assert f"{option}{meaning}" in text
    assert interface.modes == (Mode.SEAT,) or all(str(mode) in text for mode in interface.modes)


@pytest.mark.parametrize("name", COURSES)
def test_a_page_has_the_limits_that_hold_for_its_interface(name: str) -> None:
    interface, text, limits = INTERFACES[name], text_of(name), AgentLimits()
    assert f"memory is {limits.memory_mib + interface.allowance.memory_mib} MiB" in text
    start_seconds = limits.start_seconds + interface.allowance.start_seconds
    assert f"{start_seconds:g} s, compiling {interface.build.seconds:g} s" in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_says_what_ends_a_game_and_what_does_not(name: str) -> None:
    text = text_of(name)
    if "every agent in Python" in text:
        text += text_of("python")
    for row in guide_of(INTERFACES[name]).consequences.values():
        fault = "none" if row.fault is None else row.fault.value
        assert f"{plain(row.doing)}{plain(row.shows)}{fault}" in text


ON_PATH = Path("grader/interfaces")


def in_reference(name: str) -> str:
    page = pages.text_of(Client().get(f"/guide/{name}/"))
    tables = re.findall(r'<table class="reference">.*?</table>', page, re.DOTALL)
    assert tables
    cells = re.findall(r'<th scope="row">(.*?)</th>', "".join(tables), re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", " ".join(cells)))


def test_all_that_the_types_in_java_offer_is_on_the_page_and_nothing_else() -> None:
    files = starter_kits.starter_files("hanabi", interface="uwa-java")
    types = {name: data.decode() for name, data in files.items() if name.startswith("hanabAI/")}
    del types["hanabAI/FireboxLegacy.java"]
    source = "".join(types.values())
    public = set(re.findall(r"^    public (?!class|enum)[^=;{]*?(\w+)\(", source, re.MULTILINE))
    assert {"getHand", "nextState", "shuffledDeck", "Action", "State"} < public
    told = in_reference("uwa-java")
    assert [name for name in sorted(public) if not re.search(rf"\b{name}\b", told)] == []
    named = set(re.findall(r"(\w+)\(", told))
    assert named - public == {"doAction"}
    for enum in ("Colour", "ActionType"):
        (members_of,) = re.findall(r"enum \w+ \{\s+([A-Z_, ]+)", types[f"hanabAI/{enum}.java"])
        assert all(f"{member.strip()}" in text_of("uwa-java") for member in members_of.split(","))


@pytest.mark.parametrize(
    ("name", "files", "not_for_agents"),
    [
        ("ensta-python", ["ensta_python/hanabi/ai.py", "ensta_python/hanabi/deck.py"], set()),
        (
            "cs221-python",
            ["cs221_python/firebox_cs221/simulator.py", "cs221_python/firebox_cs221/util.py"],
            {"lay", "draw", "endTurn"},
        ),
    ],
)
def test_all_that_a_courses_module_offers_is_on_the_page(
    name: str, files: list[str], not_for_agents: set[str]
) -> None:
    text = text_of(name, between_tags=" ")
    offered = {each for file in files for each in public_names((ON_PATH / file).read_text())}
    assert len(offered) > 30
    missing = [each for each in offered - not_for_agents if not re.search(rf"\b{each}\b", text)]
    assert sorted(missing) == []


def public_names(source: str) -> Iterator[str]:
    """Classes, functions, methods, and attributes that are set on ``self`` or noted in a class."""
    tree = ast.parse(source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    inside = [node for each in classes for node in each.body]
    for node in [*tree.body, *inside]:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name
    noted = [node.target for node in inside if isinstance(node, ast.AnnAssign)]
    names = [target.id for target in noted if isinstance(target, ast.Name)]
    yield from (name for name in names if not name.startswith("_"))
    yield from re.findall(r"\bself\.([a-z]\w*)(?:: [^=\n]+)? = ", source)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("ensta-python", ["ensta_python/hanabi/ai.py", "ensta_python/hanabi/deck.py"]),
        (
            "cs221-python",
            ["cs221_python/firebox_cs221/simulator.py", "cs221_python/firebox_cs221/util.py"],
        ),
    ],
)
def test_nothing_is_on_the_page_that_a_courses_module_has_not(name: str, files: list[str]) -> None:
    offered = {each for file in files for each in public_names((ON_PATH / file).read_text())}
    called = set(re.findall(r"(\w+)\(", in_reference(name)))
    assert called - offered <= {"len", "str"}


def test_the_page_on_cpp_is_right_about_the_compiler_and_swaps() -> None:
    text = text_of("gcc-cpp")
    assert " ".join(compiler.HEADERS.standard) in text
    assert f"at most {SWAPS_PER_TURN} swaps" in text


def test_the_page_on_java_is_right_about_the_machine() -> None:
    text = text_of("uwa-java")
    seat = (ON_PATH / "shared" / "firebox_java" / "seat.py").read_text()
    (overhead,) = re.findall(r"_OVERHEAD_MIB: Final = (\d+)", seat)
    assert f"{overhead} MiB of the memory are for Java itself" in text
    assert '_STACK: Final = "1m"' in seat
    assert "The stack has 1 MiB." in text
    finish = Path("sandbox/images/java/finish").read_text()
    (modules,) = re.findall(r"--add-modules (\S+)", finish)
    for module in ("java.base", "java.desktop", "java.logging", "java.sql"):
        assert module in modules
        assert module in text


def test_all_names_of_the_simulators_modules_are_on_its_page() -> None:
    text = text_of("cs221-python")
    assert [name for name in SIMULATOR_MODULES if not re.search(rf"\b{name}\b", text)] == []

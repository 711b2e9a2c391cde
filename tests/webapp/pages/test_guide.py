"""The guide: nothing is missing from it, and its examples run."""

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tomllib
import typing
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from firebox import Context, adapter, hanabi, hearts
from firebox_cpp import compiler
from firebox_native import builder
from grader import house
from grader.cli.arguments import agents_of, game_of
from grader.cli.main import parser as command_line
from grader.cli.paper import measure
from grader.core import wire
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import GAMES, game_from_options
from grader.core.games.hanabi import SWAPS_PER_TURN
from grader.core.records import AgentLimits, FaultKind, Mode, to_json
from grader.core.referee import Referee, Reply, Turn, TurnKind, referee
from grader.house import cs221
from grader.house import hearts as catalogue_hearts
from grader.house.catalogue import fitting
from grader.house.measured import ladder
from grader.interfaces import BUILD_OUTPUT_BYTES, BUILDER_MIB, INTERFACES
from grader.interfaces import starter_kit as starter_kits
from grader.interfaces.cs221_python.firebox_cs221.names import SIMULATOR_MODULES
from grader.interfaces.gcc_cpp.firebox_gcc import entry
from grader.interfaces.guide import guide_of
from grader.play.players import LocalPlayer, play_game
from grader.results.statistics import summarise
from tests.support import pages
from tests.support.processes import PATIENCE_SECONDS
from webapp.evaluations.models import Status, Verdict
from webapp.guide.api import api_tables
from webapp.guide.docstrings import members
from webapp.guide.examples.cautious import Cautious
from webapp.guide.examples.ducking import Ducking
from webapp.guide.interfaces import COURSES, page_of
from webapp.guide.pages import EXAMPLES, PAGES, Part, rules_page, shown, verdict_rows
from webapp.guide.paper import MEASURED
from webapp.guide.strength import strength
from webapp.submissions.models import SubmissionStatus

pytestmark = pytest.mark.django_db

HANABI = game_from_options("hanabi", {"variant": "standard", "players": 2})
HEARTS = game_from_options("hearts", {"hands": 1})
SEED = deal_seed(REFERENCE_SECRET, 0)


def text_of(slug: str, *, between_tags: str = "") -> str:
    page = pages.text_of(Client().get(f"/guide/{slug}/")).replace("</tr>", "</tr>\n")
    article = page[page.index("<article") : page.index("</article>")]
    return unescape(re.sub(r"<[^>]+>", between_tags, article))


# --- Completeness ----------------------------------------------------------------------------


def test_the_index_leads_to_every_page() -> None:
    page = pages.text_of(Client().get("/guide/"))
    assert all(f'href="/guide/{entry.slug}/"' in page for entry in PAGES)


def test_a_page_that_does_not_exist_is_not_found() -> None:
    assert Client().get("/guide/nothing/").status_code == 404


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_every_page_marks_itself_as_current(entry: object) -> None:
    slug = entry.slug  # type: ignore[attr-defined]
    page = pages.text_of(Client().get(f"/guide/{slug}/"))
    assert f'href="/guide/{slug}/" aria-current="page"' in page


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_is_explained_in_the_graders_own_words(kind: FaultKind) -> None:
    text = text_of("verdicts")
    assert kind.value in text
    assert members(FaultKind)[kind.name] in text


def test_every_status_and_verdict_is_explained() -> None:
    text = text_of("verdicts")
    for kind in (Status, Verdict):
        for member in kind:
            assert not member.value or member.value.capitalize() in text


@pytest.mark.parametrize("status", SubmissionStatus)
def test_every_status_of_a_submission_is_explained(status: SubmissionStatus) -> None:
    text = text_of("verdicts")
    assert members(SubmissionStatus)[status.name] in text
    assert status.value.replace("_", "-").capitalize() in text


def test_both_reasons_for_a_rejection_are_told() -> None:
    text = text_of("verdicts")
    assert "could not be compiled or loaded, or every game of its smoke test ended with" in text
    assert "3 faults in a row end a smoke test early" in text


def test_every_exit_status_of_the_interface_is_explained_to_students() -> None:
    text = text_of("verdicts")
    statuses = {name: getattr(adapter, name) for name in vars(adapter) if name.startswith("EXIT_")}
    assert {70, 71, 72, 73} <= set(statuses.values())
    for name, status in statuses.items():
        assert f"exit status {status}{plain(members(adapter)[name])}" in text


def plain(docstring: str) -> str:
    return docstring.replace("``", "").replace("*", "")


HANABI_TYPES = [Context, hanabi.Observation, hanabi.Hand, hanabi.Knowledge, hanabi.Card,
                *hanabi.ACTION_TYPES, *typing.get_args(hanabi.Event)]  # fmt: skip
HEARTS_TYPES = [hearts.Observation, hearts.Card, *hearts.ACTION_TYPES,
                *typing.get_args(hearts.Event)]  # fmt: skip
AGENT_SIDE = [
    *(("hanabi", "python", cls) for cls in HANABI_TYPES),
    *(("hearts", "hearts-agents", cls) for cls in HEARTS_TYPES),
]


@pytest.mark.parametrize(("game", "slug", "cls"), AGENT_SIDE)
def test_every_field_of_what_an_agent_is_given_and_returns_has_a_sentence(
    game: str, slug: str, cls: type
) -> None:
    (table,) = [each for each in api_tables(game) if each.name.partition("(")[0] == cls.__name__]
    meanings = {row.signature.partition("(")[0]: row.meaning for row in table.rows}
    public = {name for name in (*cls.__annotations__, *vars(cls)) if not name.startswith("_")}
    assert public - {"from_wire"} <= meanings.keys()
    assert all(meaning.endswith(".") for meaning in meanings.values())
    text = text_of(slug)
    assert all(plain(meaning) in text for meaning in meanings.values())


def test_every_limit_is_there_with_its_value() -> None:
    text, limits = text_of("limits"), AgentLimits()
    for name in AgentLimits.__dataclass_fields__:
        assert name in text
        assert f"{getattr(limits, name):,}" in text


def test_every_option_and_variant_of_the_rules_is_there() -> None:
    text = text_of("rules")
    for name in (*HANABI.options, *GAMES["hanabi"].variants()):
        assert name in text


def test_every_message_and_field_of_the_wire_is_there() -> None:
    text = text_of("protocol")
    for turn in turns(referee(HANABI, SEED)):
        for name in (*turn.message, *turn.message.get("observation", ())):
            assert name in text, name
    assert "refused" in text
    assert f"of which {wire.MAX_WHY_CHARACTERS} characters" in text


def test_an_exit_status_of_0_is_no_fault_only_where_the_game_was_over() -> None:
    assert "none; crash if the game was not over" in text_of("verdicts")


@pytest.mark.parametrize("interface", ["uwa-java", "gcc-cpp"])
def test_of_several_files_the_folder_is_what_to_play(interface: str) -> None:
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
    arguments = command_line().parse_args(["play", "agents"])
    (program,) = agents_of(arguments)
    assert program.ref.interface == "uwa-java"
    assert game_of(arguments, [program]).options["variant"] == "uwa"


def test_every_command_and_option_is_there() -> None:
    text = text_of("command")
    for name, parser in commands():
        assert f"firebox {name}" in text, name
        for action in parser._actions:
            for option in action.option_strings:
                assert option in text or option in ("-h", "--help"), f"{name} {option}"


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    (group,) = (
        action
        for action in command_line()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    yield from group.choices.items()


# --- Interfaces ------------------------------------------------------------------------------


@pytest.mark.parametrize("interface", INTERFACES)
def test_every_interface_has_its_page(interface: str) -> None:
    assert page_of(interface) in {entry.slug for entry in PAGES if entry.part is Part.WRITTEN_IN}


def test_every_interface_that_knows_its_rules_has_a_page_of_its_own() -> None:
    assert all(page_of(name) == name for name in COURSES)
    assert len(COURSES) >= 4


STDIO = [name for name in INTERFACES if name.startswith("stdio")]


@pytest.mark.parametrize("name", STDIO)
def test_programs_that_speak_the_protocol_are_on_its_page(name: str) -> None:
    shape, text = INTERFACES[name].upload, text_of("protocol")
    assert name in text
    assert all(suffix in text for suffix in shape.suffixes)
    assert not shape.entry or shape.entry in text


@pytest.mark.parametrize("name", STDIO)
def test_the_programs_of_the_protocols_page_are_those_of_the_kits(name: str) -> None:
    files = starter_kits.starter_files("hanabi", interface=name)
    (program,) = [text for file, text in files.items() if file.startswith(("main.", "Main."))]
    assert program.decode().rstrip() in text_of("protocol")


@pytest.mark.parametrize("part", Part)
def test_the_index_groups_the_pages(part: Part) -> None:
    page = pages.text_of(Client().get("/guide/"))
    of_part = page[page.index(f"<h2>{part.value}</h2>") + 4 :].partition("<h2>")[0]
    linked = re.findall(r'href="/guide/([\w-]+)/"', of_part.partition("</ol>")[0])
    assert linked == [entry.slug for entry in PAGES if entry.part is part]


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
    assert f"The variant {interface.rules.variant}, with" in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_has_every_option_and_mode_of_its_interface(name: str) -> None:
    interface, text = INTERFACES[name], text_of(name)
    for option, meaning in interface.options.items():
        assert f"{option}{meaning}" in text
    assert interface.modes == (Mode.SEAT,) or all(str(mode) in text for mode in interface.modes)


@pytest.mark.parametrize("name", COURSES)
def test_a_page_has_the_limits_that_hold_for_its_interface(name: str) -> None:
    interface, text, limits = INTERFACES[name], text_of(name), AgentLimits()
    assert f"{limits.memory_mib + interface.allowance.memory_mib} MiB" in text
    assert f"To start{limits.start_seconds + interface.allowance.start_seconds:g} s" in text
    assert f"To compile{interface.build.seconds:g} s" in text
    assert not interface.allowance.memory_mib or f"and {interface.allowance.memory_mib} MiB" in text
    assert (
        not interface.allowance.start_seconds
        or f"and {interface.allowance.start_seconds:g} s" in text
    )


@pytest.mark.parametrize("name", INTERFACES)
def test_the_limits_page_has_what_a_language_adds_and_how_long_it_may_compile(name: str) -> None:
    interface, text, limits = INTERFACES[name], text_of("limits"), AgentLimits()
    memory = f"{interface.allowance.memory_mib} MiB" if interface.allowance.memory_mib else "–"
    seconds = (
        f"{interface.allowance.start_seconds:g} s" if interface.allowance.start_seconds else "–"
    )
    assert f"{interface.title}{memory}{seconds}\n" in text
    room = (
        BUILDER_MIB
        if interface.runtime.builder
        else limits.memory_mib + interface.allowance.memory_mib
    )
    assert f"{interface.title}{interface.build.seconds:g} s{room} MiB" in text


def test_the_limits_page_has_how_large_a_compiled_agent_may_be() -> None:
    text = text_of("limits")
    assert f"may have {BUILD_OUTPUT_BYTES >> 20} MiB" in text
    assert f"a compiled C++ program {builder._MAX_MADE_BYTES >> 20} MiB" in text


@pytest.mark.parametrize("name", COURSES)
def test_a_page_says_what_ends_a_game_and_what_does_not(name: str) -> None:
    text = text_of(name)
    for row in guide_of(INTERFACES[name]).consequences.values():
        fault = "none" if row.fault is None else row.fault.value
        assert f"{plain(row.doing)}{plain(row.shows)}{fault}" in text


ON_PATH = Path("grader/interfaces")


def in_reference(name: str) -> str:
    """What the first cells of a page's reference tables say."""
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
    for noted in inside:
        if isinstance(noted, ast.AnnAssign) and isinstance(noted.target, ast.Name):
            yield noted.target.id
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


def test_headers_of_the_engine_are_shown_whole() -> None:
    text = text_of("gcc-cpp")
    for path in (ON_PATH / "gcc_cpp" / "gcc_cpp").glob("*.h"):
        assert path.read_text().rstrip() in text


def test_what_the_page_on_cpp_says_of_the_compiler_and_of_swaps_is_so() -> None:
    text = text_of("gcc-cpp")
    assert text.count(" ".join(compiler.HEADERS.standard)) == 2
    assert f"at most {SWAPS_PER_TURN} swaps" in text
    assert f"asked again, {entry._MAX_IDLE_SWAPS} times" in text.replace(
        "called again", "asked again"
    )


def test_what_the_page_on_java_says_of_the_machine_is_so() -> None:
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


def test_remedies_speak_of_python_only_where_they_say_so() -> None:
    for row in verdict_rows():
        for word in ("act()", "start()", "observation"):
            assert word not in row.remedy or "in Python" in row.remedy


# --- The paper -------------------------------------------------------------------------------


def test_the_papers_figures_are_beside_ours() -> None:
    text = text_of("cs221-python")
    for row in json.loads(MEASURED.read_text())["rows"]:
        of_paper = f"{row['paper']:g}"
        assert f"{row['strategy']}{of_paper}{spread(row['trials'])}{spread(row['games'])}" in text


def spread(summary: dict[str, float]) -> str:
    return f"{summary['mean']:.2f} ± {summary['sd']:.2f}"


def test_the_strategies_own_readme_has_the_same_figures() -> None:
    readme = Path("grader/house/cs221/README.md").read_text()
    for row in json.loads(MEASURED.read_text())["rows"]:
        begin = f"| {row['strategy']} | {row['players']} | {row['paper']:g} |"
        more = row["games"]["mean"] - row["paper"]
        signed = f"{'+' if more >= 0 else '−'}{abs(more):.2f}"
        (line,) = [line for line in readme.splitlines() if line.startswith(begin)]
        assert f" {spread(row['trials'])} | {spread(row['games'])} |" in line
        assert line.endswith(f"| {signed} |")


def test_every_strategy_is_there_with_either_number_of_players() -> None:
    report = json.loads(MEASURED.read_text())
    titles = [strategy.title for strategy in cs221.NAMES.values()]
    for players in (4, 3):
        rows = [row["strategy"] for row in report["rows"] if row["players"] == players]
        assert rows == titles
    assert (report["n_trials"], report["n_games"]) == (100, 1000)


def test_charts_of_the_paper_are_readable_without_seeing_them() -> None:
    page = pages.text_of(Client().get("/guide/cs221-python/"))
    assert page.count("Scores of 1000 games: from ") == 2 * 12 + 6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random_legal", "internal_state"])
def test_the_same_deals_give_the_figures_of_the_page_again(name: str) -> None:
    report = json.loads(MEASURED.read_text())
    secret = bytes.fromhex(report["secret"])
    scores = list(measure(name, 4, secret, range(report["n_trials"])))
    row = next(row for row in report["rows"] if row["strategy"] == cs221.NAMES[name].title)
    assert to_json(summarise(scores)) == json.dumps(row["trials"], separators=(",", ":"))


# --- House agents ----------------------------------------------------------------------------


def test_what_house_agents_score_is_told_as_it_was_measured() -> None:
    text = text_of("house-agents", between_tags=" ")
    for name, description in house.NAMES.items():
        assert f"house:{name}" in text
        assert description.lower() in text.lower()
    for rung in ladder().rungs:
        assert re.search(rf"{rung.games.mean:.2f} +± {rung.games.half_width:.2f}", text)
        line = rf"{rung.agent} +{rung.games.mean:.2f} +± [\d.]+ +{rung.games.sd:.2f} "
        assert re.search(line, text), rung


def test_every_variant_that_was_measured_has_a_table_of_its_own() -> None:
    page = pages.text_of(Client().get("/guide/house-agents/"))
    variants = dict.fromkeys(rung.variant for rung in ladder().rungs)
    for variant in variants:
        assert f'id="{variant}-caption"' in page
    assert {*variants, "ensta"} == set(GAMES["hanabi"].variants())


def test_the_variant_that_was_not_measured_differs_by_the_order_of_colours_alone() -> None:
    ours, theirs = (
        dict(game_from_options("hanabi", {"variant": name}).options)
        for name in ("standard", "ensta")
    )
    differs = {name for name in ours if ours[name] != theirs[name]}
    assert differs == {"variant", "colors"}


@pytest.mark.parametrize("slug", ["rules", "instructors", "tournaments"])
def test_pages_that_speak_of_house_agents_lead_to_them(slug: str) -> None:
    assert 'href="/guide/house-agents/' in pages.text_of(Client().get(f"/guide/{slug}/"))


# --- Examples --------------------------------------------------------------------------------


def turns(play: Referee) -> Iterator[Turn]:
    """All turns of a game in which everybody takes the first legal action."""
    answer: Reply | None = None
    try:
        while True:
            turn = play.send(answer) if answer else next(play)
            yield turn
            answer = first_legal(turn)
    except StopIteration:
        return


def first_legal(turn: Turn) -> Reply | None:
    if turn.kind is TurnKind.END:
        return None
    return Reply(turn.message["legal"][0] if turn.kind is TurnKind.ACT else None, 0)


def test_the_transcript_of_hearts_is_what_the_referee_says() -> None:
    deal, *lines = (EXAMPLES / "hearts.transcript").read_text().splitlines()
    assert deal == f"# deal {SEED.hex()}"
    assert list(hearts_transcript(lines)) == lines


def hearts_transcript(lines: list[str]) -> Iterator[str]:
    """Play the transcript's replies as seat 0; then everybody takes the first legal action."""
    replies = iter([line[2:] for line in lines if line.startswith("←")])
    play = referee(HEARTS, SEED)
    turn = next(play)
    left_out = False
    while (turn.seat, turn.kind) != (0, TurnKind.END):
        if turn.seat == 0 and (line := next(replies, None)):
            yield f"→ {wire.encode(turn.message).decode().rstrip()}"
            yield f"← {line}"
            turn = play.send(reply_of(turn, line))
            continue
        if turn.seat == 0 and not left_out:
            left_out = True
            yield "…"
        turn = play.send(first_legal(turn))
    yield f"→ {wire.encode(turn.message).decode().rstrip()}"


@pytest.mark.slow
def test_the_example_for_hearts_takes_fewer_points_than_our_weakest() -> None:
    weak = catalogue_hearts.agent("low_card")
    taken = []
    for index in range(20):
        for seat in range(4):
            players = [LocalPlayer(Ducking if at == seat else weak) for at in range(4)]
            record = play_game(HEARTS, deal_seed(REFERENCE_SECRET, index), players)
            assert record.fault is None
            taken.append(record.scores[seat])
    assert sum(taken) / len(taken) < 26 / 4


def test_the_pages_on_rules_are_one_for_each_game() -> None:
    assert {entry.rules_of for entry in PAGES} - {""} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_on_rules_has_every_option_variant_ending_and_house_agent(game: str) -> None:
    page, rules = text_of(rules_page(game)), GAMES[game]
    for name in fields(rules.options_type):
        assert name.name in page, name.name
    for variant in rules.variants():
        assert variant in page
    opponents = fitting(rules.from_options({})) if rules.competitive else ()
    for name in (*opponents, *(map(str, rules.endings) if rules.competitive else ())):
        assert name in page, name


def test_the_page_on_agents_for_hearts_has_every_event_action_and_field() -> None:
    page = text_of("hearts-agents")
    state = HEARTS.deal(SEED)
    assert all(field in page for field in state.observe(0))
    while state.seat_to_act is not None:
        state.apply(state.legal_actions()[0])
    for event in state.events(0):
        assert event["type"] in page
        assert all(field in page for field in event), event


def test_the_transcript_is_what_the_referee_says() -> None:
    deal, *lines = (EXAMPLES / "hanabi.transcript").read_text().splitlines()
    assert deal == f"# deal {SEED.hex()}"
    assert list(transcript(lines)) == lines


def transcript(lines: list[str]) -> Iterator[str]:
    """Play the transcript's replies as seat 0; seat 1 plays what it was told to be a 1."""
    replies = iter([line[2:] for line in lines if line.startswith("←")])
    play = referee(HANABI, SEED)
    turn = next(play)
    while (turn.seat, turn.kind) != (0, TurnKind.END):
        if turn.seat == 0 and (line := next(replies, None)):
            yield f"→ {wire.encode(turn.message).decode().rstrip()}"
            yield f"← {line}"
            turn = play.send(reply_of(turn, line))
        elif turn.number == 1:
            turn = play.send(Reply({"type": "play", "card": 0}, 0))
        elif turn.number == 3:
            yield "…"
            turn = play.send(first_legal(turn))
        else:
            turn = play.send(first_legal(turn))
    yield f"→ {wire.encode(turn.message).decode().rstrip()}"


def reply_of(turn: Turn, line: str) -> Reply:
    if turn.kind is TurnKind.START:
        wire.parse_ready(line.encode())
        return Reply(None, 0)
    return Reply(wire.parse_reply(line.encode(), turn.number), 0)


@pytest.mark.slow
def test_the_example_agent_plays_well_enough_to_be_an_example() -> None:
    scores = [
        play_game(
            HANABI, deal_seed(REFERENCE_SECRET, index), [LocalPlayer(Cautious) for _ in range(2)]
        ).scores[0]
        for index in range(20)
    ]
    assert sum(scores) / len(scores) > 10


def test_the_example_without_the_package_answers_every_message() -> None:
    asked = [turn for turn in turns(referee(HANABI, SEED)) if turn.seat == 0]
    lines = "".join(json.dumps(dict(turn.message), default=list) + "\n" for turn in asked)
    program = starter_kits.starter_files("hanabi", interface="stdio-python")["main.py"].decode()
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=lines, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True,
    )  # fmt: skip
    replies = done.stdout.splitlines()
    wire.parse_ready(replies[0].encode())
    for turn, line in zip(asked[1:-1], replies[1:], strict=True):
        assert wire.parse_reply(line.encode(), turn.number) in turn.message["legal"]


@pytest.mark.parametrize(
    "slug", ["start", "command", "grades", "hearts", "hearts-agents", *COURSES]
)
def test_commands_in_the_guide_are_well_formed(slug: str) -> None:
    page = unescape(pages.text_of(Client().get(f"/guide/{slug}/")))
    lines = re.findall(r"<code>(firebox [^<]+)</code>\s*</pre>", page)
    assert lines
    for line in lines:
        command_line().parse_args(line.split()[1:])


def test_the_figures_of_the_usual_scheme_are_computed() -> None:
    text = text_of("grades")
    rows = re.findall(r"^(\d+\.\d\d)(\d+\.\d\d)$", text, re.MULTILINE)
    assert ("14.99", "0.00") in rows
    assert ("15.00", "100.00") in rows
    assert ("20.50", "105.00") in rows


def test_the_page_on_hearts_shows_how_strong_our_agents_are() -> None:
    page, text = pages.text_of(Client().get("/guide/hearts/")), text_of("hearts")
    for players, even in ((2, "13 is even"), (4, "6.5 is even")):
        assert f'id="points-{players}-caption"' in page
        assert f'id="won-{players}-caption"' in page
        assert even in text
    cells = [
        cell for grid in strength()["grids"] for _, row in grid["rows"] for cell in row if cell
    ]
    assert len(cells) == 2 * len(catalogue_hearts.NAMES) * (len(catalogue_hearts.NAMES) - 1)
    assert all(f"{cell['points']:.1f} ± {cell['points_half_width']:.1f}" in text for cell in cells)


def test_the_limits_of_uploads_are_the_archives_own() -> None:
    assert "1 MiB packed, 5 MiB unpacked and 200 files" in text_of("limits")


def test_instructors_are_told_when_students_see_points() -> None:
    assert "Students see their points at once, unless you hold them." in text_of("instructors")


# --- The command, which students install ------------------------------------------------------


def test_the_starter_kit_has_the_library_and_not_the_command() -> None:
    kit = starter_kits.starter_kit("hanabi", HANABI.options)
    with zipfile.ZipFile(io.BytesIO(kit)) as files:
        names = files.namelist()
    assert "firebox/__init__.py" in names
    assert not [name for name in names if name.startswith(("grader/", "sandbox/"))]


def test_what_the_guide_says_the_command_fetches_is_what_it_needs() -> None:
    needed = tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]
    runbook = Path("deploy/RUNBOOK.md").read_text()
    assert len(needed) == 4
    assert "four small libraries" in text_of("command")
    assert all(f"`{name.partition('>')[0]}`" in runbook for name in needed)

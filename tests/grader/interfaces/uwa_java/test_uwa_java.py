"""Agents in Java against the package ``hanabAI``, in the real sandbox."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.deals import deal_seed
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    BuildReport,
    FaultKind,
    GameRequest,
    GameResult,
)
from grader.interfaces import interface_named
from grader.play.batch import open_batch
from grader.uploads.archive import SourceFile, Sources
from tests.support.depth import deeper
from tests.support.seats import Deeds, deals_for, first_cards, open_deeds
from tests.support.slots import confined

HERE = Path(__file__).parent
AGENTS = sorted(HERE.glob("agents/Agent*.java"))
CHECK = HERE / "agents" / "Check.java"
UWA = interface_named("uwa-java")
PATIENT = AgentLimits(turn_seconds=5.0, turn_wall_seconds=15.0)
"""For agents that must not run out of time, however busy the machine is."""

IMPATIENT = AgentLimits(turn_seconds=0.5, turn_wall_seconds=1.0)
"""For agents that must run out of time."""

SLOT = confined()
FAULTS = {
    "ReturnsNull": FaultKind.ILLEGAL,
    "DiscardsAtEight": FaultKind.ILLEGAL,
    "LiesInHints": FaultKind.ILLEGAL,
    "BadPosition": FaultKind.ILLEGAL,
    "SomebodyElse": FaultKind.ILLEGAL,
    "Throws": FaultKind.CRASH,
    "Recurses": FaultKind.CRASH,
    "Exits": FaultKind.CRASH,
    "Hoards": FaultKind.MEMORY,
    "StartsThread": FaultKind.FORBIDDEN,
    "UsesPool": FaultKind.FORBIDDEN,
    "Executes": FaultKind.CRASH,
}
OUT_OF_TIME = {"Loops": FaultKind.TIMEOUT, "Sleeps": FaultKind.IDLE}

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_seats"),
]


def archive(*paths: Path) -> bytes:
    """Files of an agent as they are submitted."""
    files = [SourceFile(path.name, path.read_bytes()) for path in paths]
    return Sources(files=tuple(sorted(files, key=lambda file: file.name))).archive()


def asked(players: int, games: int, limits: AgentLimits = PATIENT) -> BatchRequest:
    """Games of one agent in all seats, which no faults stop."""
    return BatchRequest(
        evaluation="uwa",
        batch="uwa",
        game="hanabi",
        options={"variant": "uwa", "players": players},
        limits=limits,
        agents=(AgentRef(interface="uwa-java", sha256="0" * 64),),
        seating=(0,) * players,
        games=tuple(
            GameRequest(index=index, deal_seed=deal_seed(b"uwa" * 8, index).hex())
            for index in range(games)
        ),
        max_consecutive_faults=0,
        check_first=True,
    )


def play(paths: Sequence[Path], *, players: int = 2, games: int = 2) -> list[GameResult]:
    """Play an agent that compiles."""
    with open_batch(asked(players, games), [archive(*paths)], SLOT) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
        return list(batch.games())


def told(results: Sequence[GameResult]) -> list[str]:
    """Faults in words, for a test that expects none."""
    return [
        f"{result.record.fault.detail}\n{result.evidence.stderr if result.evidence else ''}"
        for result in results
        if result.record.fault is not None
    ]


@pytest.mark.parametrize("players", deeper([3, 4], deep=[2, 3, 4, 5]))
def test_agents_that_look_at_everything_find_all_as_it_should_be(players: int) -> None:
    """They share tables, and each sits at another seat in the second game of its table."""
    seatings = [
        tuple((first + seat) % len(AGENTS) for seat in range(players))
        for first in range(0, len(AGENTS), players)
    ]
    seatings = [order for seats in seatings for order in (seats, seats[::-1])]
    request = asked(players, len(seatings))
    request = replace(
        request,
        agents=request.agents * len(AGENTS),
        seating=seatings[0],
        games=tuple(
            replace(game, seating=seats)
            for game, seats in zip(request.games, seatings, strict=True)
        ),
    )
    with open_batch(request, [archive(path, CHECK) for path in AGENTS], SLOT) as batch:
        assert batch.playable, batch.builds
        results = list(batch.games())
    assert told(results) == []
    assert {agent for result in results for agent in result.seating} == set(range(len(AGENTS)))


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_an_agent_finds_all_as_it_should_be_at_every_seat(path: Path, players: int) -> None:
    results = play([path, CHECK], players=players, games=20)
    assert told(results) == []


CARDS = [f"{color}{rank}" for color in "RGBYW" for rank in "12345"]
CHOOSER = """
package agents;

import hanabAI.*;

/** Plays as the agent in this array does whose number the partner's first card has. */
public class Agent30000001 implements Agent {
    private static final String COLOURS = "RGBYW";
    private final Agent[] all = {%s};
    private Agent chosen;

    public String toString() { return "Agent30000001"; }

    public Action doAction(State s) {
        if (chosen == null) {
            Card first = s.getHand(1 - s.getNextPlayer())[0];
            int colour = COLOURS.indexOf(first.getColour().toString().charAt(0));
            chosen = all[(5 * colour + first.getValue() - 1) %% all.length];
        }
        return chosen.doAction(s);
    }
}
"""


@contextmanager
def open_faults(kinds: Collection[str], limits: AgentLimits) -> Iterator[Deeds]:
    """All these agents in one: the partner's first card chooses which of them a seat is."""
    request = asked(2, 1, limits)
    sources = [
        SourceFile(path.name, path.read_bytes())
        for path in [*(HERE / "faulty" / f"{name}.java" for name in kinds), CHECK]
    ]
    chooser = CHOOSER % ", ".join(f"new {name}()" for name in kinds)
    sources.append(SourceFile("Agent30000001.java", chooser.encode()))
    upload = Sources(tuple(sorted(sources, key=lambda file: file.name))).archive()

    def fits(seed: bytes) -> int | None:
        first, second = (CARDS.index(card) % len(kinds) for card in first_cards(request, seed))
        return first if first == second else None

    with open_deeds(request, upload, deals_for(kinds, fits), SLOT) as opened:
        yield opened


@pytest.fixture(scope="module")
def faulty(docker_engine: object) -> Iterator[Deeds]:
    with open_faults(FAULTS, PATIENT) as opened:
        yield opened


@pytest.fixture(scope="module")
def lingering(docker_engine: object) -> Iterator[Deeds]:
    with open_faults(OUT_OF_TIME, IMPATIENT) as opened:
        yield opened


def check_it_is_called(kind: FaultKind, results: Sequence[GameResult]) -> None:
    kinds = [result.record.fault and result.record.fault.kind for result in results]
    assert kinds == [kind] * len(results), told(results)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_called_by_its_name_and_the_next_game_is_played(
    name: str, faulty: Deeds
) -> None:
    check_it_is_called(FAULTS[name], [faulty.play(name) for _ in range(2)])


@pytest.mark.parametrize("name", OUT_OF_TIME)
def test_running_out_of_time_is_called_so_and_the_next_game_is_played(
    name: str, lingering: Deeds
) -> None:
    check_it_is_called(OUT_OF_TIME[name], [lingering.play(name) for _ in range(2)])


REASONS = {
    "ReturnsNull": "null instead of an action",
    "LiesInHints": "the cards that it fits are",
    "BadPosition": "plays card 7; allowed: 0 to 4",
    "SomebodyElse": "it is the turn of player 0",
}


@pytest.mark.parametrize("name", REASONS)
def test_an_illegal_action_is_told_with_its_reason(name: str, faulty: Deeds) -> None:
    result = faulty.play(name)
    assert result.record.fault is not None
    assert REASONS[name] in result.record.fault.detail


def test_an_exception_is_told_with_its_file_and_line(faulty: Deeds) -> None:
    path = HERE / "faulty" / "Throws.java"
    result = faulty.play("Throws")
    assert result.evidence is not None
    line = 1 + path.read_text().split("\n").index(
        "            return (Action) (Object) nothing.toString();"
    )
    assert f"agents.Throws.doAction(Throws.java:{line})" in result.evidence.stderr
    assert result.record.fault is not None
    assert "NullPointerException" in result.record.fault.detail
    assert "firebox.boot" not in result.evidence.stderr


def test_where_a_loop_was_is_told(lingering: Deeds) -> None:
    result = lingering.play("Loops")
    assert result.evidence is not None
    assert "agents.Loops.doAction(Loops.java:" in result.evidence.stderr


def test_nothing_outside_can_be_reached() -> None:
    paths = [HERE / "faulty" / "Contained.java", CHECK]
    assert told(play(paths)) == []


def test_compiler_messages_name_file_and_line() -> None:
    request = asked(2, 1)
    with open_batch(request, [archive(HERE / "faulty" / "NoSuchType.java")], SLOT) as batch:
        (build,) = batch.builds
    assert not build.ok
    (message,) = build.messages
    assert (message.file, message.line) == ("NoSuchType.java", 7)
    assert "bestAction" in message.text


def project(folder: Path) -> bytes:
    """A folder of files as it is submitted."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    names = [SourceFile(str(path.relative_to(folder)), path.read_bytes()) for path in files]
    return Sources(files=tuple(sorted(names, key=lambda file: file.name))).archive()


def test_copies_of_the_framework_are_left_out_and_the_student_is_told() -> None:
    upload = project(HERE / "students" / "project")
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        (build,) = batch.builds
    assert build.ok
    told = [(message.file, message.text) for message in build.messages]
    assert told == [
        (f"src/hanabAI/{name}.java", "not used: the framework's own file is")
        for name in ("Hanabi", "State")
    ]


@pytest.mark.parametrize(
    "files", [("Agent10000021",), ("Agent10000022", "helpers/Chooser"), ("Agent10000023",)]
)
def test_an_agent_can_be_in_any_package(files: tuple[str, ...]) -> None:
    paths = [HERE / "packages" / f"{name}.java" for name in files]
    assert told(play(paths, games=2)) == []


def several(*names: str, choice: str = "") -> bytes:
    """Agents of these full names that answer nothing, which is illegal."""
    files = {}
    for full in names:
        package, _, name = full.rpartition(".")
        text = f"package {package};\nimport hanabAI.*;\npublic class {name} implements Agent"
        text += " { public Action doAction(State s) { return null; } }\n"
        files[f"{full.replace('.', '/')}.java"] = text.encode()
    if choice:
        files["firebox.json"] = choice.encode()
    return Sources(tuple(SourceFile(name, files[name]) for name in sorted(files))).archive()


def outcome(upload: bytes) -> tuple[FaultKind, str]:
    """How a game ends that only starts, and what it says."""
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
        (result,) = batch.games()
    assert result.record.fault is not None
    return result.record.fault.kind, result.record.fault.detail


def test_of_several_agents_the_one_with_students_numbers_plays() -> None:
    kind, _ = outcome(several("agents.Basic", "agents.Agent12345678_23456789"))
    assert kind == FaultKind.ILLEGAL


@pytest.mark.parametrize("name", ["Second", "b.Second"])
def test_the_agent_that_the_upload_names_plays(name: str) -> None:
    upload = several("a.First", "b.Second", choice=f'{{"class": "{name}"}}')
    assert outcome(upload)[0] == FaultKind.ILLEGAL


def built(upload: bytes) -> BuildReport:
    """What a student is told of an upload."""
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        return batch.builds[0]


@pytest.mark.parametrize("choice", ["", "[1]", '{"class": 7}', "{", '{"class": ""}', "[" * 5000])
def test_several_agents_are_a_question_at_upload_unless_one_is_named(choice: str) -> None:
    build = built(several("a.First", "b.Second", choice=choice))
    assert not build.ok
    (message,) = build.messages
    assert message.text.startswith("there are several agents, a.First, b.Second: ")
    assert message.text.endswith('--class NAME, or the field "Class that plays" of the upload')


def test_no_agent_is_told_at_upload() -> None:
    build = built(packed({"Mine.java": "package agents;\npublic class Mine {}\n"}))
    (message,) = build.messages
    assert message.text.startswith("there is no agent: write a public class with a public ")


def test_the_courses_example_plays_only_alone() -> None:
    assert outcome(several("agents.BasicAgent", "agents.Mine"))[0] == FaultKind.ILLEGAL
    assert outcome(several("agents.BasicAgent"))[0] == FaultKind.ILLEGAL


TRAINER = """package training;
import org.neuroph.core.NeuralNetwork;
public class Trainer {
    NeuralNetwork network = new agents.Agent10000041().network();
    public static void main(String[] arguments) {}
}
"""
PLAYS = """package agents;
import hanabAI.*;
import java.util.Stack;
public class Agent10000041 implements Agent {
    public Action doAction(State s) { return null; }
    public static void main(String[] arguments) {
        Agent[] agents = {new Agent10000041(), new Agent10000041()};
        StringBuffer log = new StringBuffer();
        int score = new Hanabi(agents).play(log) + new Hanabi(agents).play();
        Stack<Card> deck = Card.shuffledDeck();
        System.out.println(Hanabi.critique(score) + log + deck);
        Hanabi.main(arguments);
    }
}
"""


def packed(files: dict[str, str]) -> bytes:
    sources = (SourceFile(name, files[name].encode()) for name in sorted(files))
    return Sources(tuple(sources)).archive()


def test_the_class_that_plays_a_game_is_there_for_main_methods() -> None:
    assert outcome(packed({"Agent10000041.java": PLAYS}))[0] == FaultKind.ILLEGAL


def test_what_does_not_compile_and_is_not_needed_is_left_out_with_a_note() -> None:
    build = built(packed({"agents/Agent10000041.java": PLAYS, "training/Trainer.java": TRAINER}))
    assert build.ok
    (note,) = build.messages
    assert (note.file, note.line) == ("training/Trainer.java", 2)
    assert note.text.startswith("not used: it does not compile, and the agent does not need it: ")
    assert "org.neuroph.core" in note.text


def test_the_question_comes_first_and_its_answer_leaves_out_what_does_not_compile() -> None:
    files = {
        "agents/Kate.java": PLAYS.replace("Agent10000041", "Kate"),
        "agents/Ken.java": PLAYS.replace("Agent10000041", "Ken"),
        "training/Trainer.java": TRAINER,
    }
    asked = built(packed(files))
    assert not asked.ok
    assert asked.messages[0].text.startswith("there are several agents, agents.Kate, agents.Ken:")
    assert asked.messages[1].file == "training/Trainer.java"
    assert built(packed({**files, "firebox.json": '{"class": "Kate"}'})).ok


BASE = """package agents;
public class Base implements hanabAI.Agent {
    public hanabAI.Action doAction(hanabAI.State s) { return null; }
}
"""
NEEDS_IT = PLAYS.replace("return null;", "return training.Trainer.best(s);")
MAY_BE_MEANT = "package agents;\npublic class Better extends Base { Missing missing; }\n"


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"agents/Agent10000041.java": NEEDS_IT, "training/Trainer.java": TRAINER},
            "package org.neuroph.core does not exist",
        ),
        ({"agents/Base.java": BASE, "agents/Better.java": MAY_BE_MEANT}, "cannot find symbol"),
    ],
)
def test_what_the_agent_needs_or_may_be_is_not_left_out(
    files: dict[str, str], complaint: str
) -> None:
    build = built(packed(files))
    assert not build.ok
    assert complaint in build.messages[0].text


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (("a.First",), "there is no class Second, which is to play; there are a.First"),
        (("a.Second", "b.Second"), "there are several classes Second: a.Second, b.Second"),
    ],
)
def test_a_choice_that_fits_no_class_or_several_is_told(
    names: tuple[str, ...], complaint: str
) -> None:
    upload = several(*names, choice='{"class": "Second"}')
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        (build,) = batch.builds
    assert not build.ok
    assert [(one.file, one.text) for one in build.messages] == [("", complaint)]


LEGACY = ("legacy_first_state",)


@pytest.mark.parametrize(
    ("agent", "options", "outcome"),
    [
        ("eras/Agent10000011", LEGACY, None),
        ("eras/Agent10000011", (), FaultKind.CRASH),
        ("agents/Agent10000001", LEGACY, FaultKind.CRASH),
        ("agents/Agent10000001", (), None),
    ],
)
def test_the_state_before_the_first_is_as_the_assignment_says(
    agent: str, options: tuple[str, ...], outcome: FaultKind | None
) -> None:
    """An agent of one era finds what it knows, and with the other's rules it does not."""
    ref = AgentRef(interface="uwa-java", sha256="0" * 64, options=options)
    upload = archive(HERE / f"{agent}.java", CHECK)
    with open_batch(replace(asked(3, 2), agents=(ref,)), [upload], SLOT) as batch:
        results = list(batch.games())
    assert {result.record.fault and result.record.fault.kind for result in results} == {outcome}

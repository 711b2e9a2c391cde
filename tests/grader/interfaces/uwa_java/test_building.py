"""Uploads of Java against ``hanabAI``: which class plays, and what is left out."""

import pytest

from grader.core.records import BuildReport, FaultKind
from grader.play.batch import open_batch
from tests.grader.interfaces.uwa_java.playing import (
    HERE,
    SLOT,
    archive,
    asked,
    outcome,
    several,
)
from tests.support.archives import archive as packed
from tests.support.archives import archive_of
from tests.support.depth import deeper

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]


def built(upload: bytes) -> BuildReport:
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        return batch.builds[0]


def test_compiler_messages_name_file_and_line() -> None:
    build = built(archive(HERE / "faulty" / "NoSuchType.java"))
    assert not build.ok
    (message,) = build.messages
    assert (message.file, message.line) == ("NoSuchType.java", 7)
    assert "bestAction" in message.text


def test_copies_of_the_framework_are_left_out_with_a_note() -> None:
    build = built(archive_of(HERE / "students" / "project"))
    assert build.ok
    told = [(message.file, message.text) for message in build.messages]
    assert told == [
        (f"src/hanabAI/{name}.java", "not used: the framework's own file is")
        for name in ("Hanabi", "State")
    ]


def test_names_of_files_and_classes_may_have_accents() -> None:
    """Also beyond the letters of the machine's locale, which has none."""
    source = (HERE / "students" / "Agent21500123.java").read_text()
    files = {
        "Übung 3/agents/Agent21500123.java": source + "class Beside { Été été = new Été(); }",
        "Übung 3/agents/Été.java": "package agents;\nclass Été {}\n",
        "Übung 3/agents/Naïf.java": "package agents;\nclass Naïf { int x = y; }\n",
    }
    with open_batch(asked(2, 1), [packed(files)], SLOT) as batch:
        ((note,),) = [build.messages for build in batch.builds]
        (result,) = batch.games()
    assert (note.file, note.line) == ("Übung 3/agents/Naïf.java", 2)
    assert result.record.fault is None


@pytest.mark.parametrize("name", ["Mine", "student.project.hanabi.Mine", "hanabAI.Mine"])
def test_an_agent_can_be_in_any_package(name: str) -> None:
    assert outcome(several(name))[0] == FaultKind.ILLEGAL


def test_the_agent_with_student_numbers_plays_among_several() -> None:
    kind, _ = outcome(several("agents.Basic", "agents.Agent12345678_23456789"))
    assert kind == FaultKind.ILLEGAL


@pytest.mark.parametrize("name", ["Second", "b.Second"])
def test_the_agent_that_the_upload_names_plays(name: str) -> None:
    upload = several("a.First", "b.Second", choice=f'{{"class": "{name}"}}')
    assert outcome(upload)[0] == FaultKind.ILLEGAL


@pytest.mark.parametrize("choice", ["", "[1]", '{"class": 7}', "{", '{"class": ""}', "[" * 5000])
def test_several_agents_are_a_question_at_upload_unless_one_is_named(choice: str) -> None:
    build = built(several("a.First", "b.Second", choice=choice))
    assert not build.ok
    (message,) = build.messages
    assert message.text.startswith("there are several agents, a.First, b.Second: ")
    assert message.text.endswith('--class NAME, or the field "Class that plays" of the upload')


def test_an_upload_without_agent_is_refused_with_advice() -> None:
    names_the_example = "package agents;\npublic class Mine { BasicAgent other; }\n"
    build = built(packed({"Mine.java": names_the_example}))
    (message,) = build.messages
    assert message.text.startswith("there is no agent: write a public class with a public ")


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
        Agent[] agents = {new Agent10000041(), new BasicAgent()};
        StringBuffer log = new StringBuffer();
        int score = new Hanabi(agents).play(log) + new Hanabi(agents).play();
        Stack<Card> deck = Card.shuffledDeck();
        System.out.println(Hanabi.critique(score) + log + deck);
        Hanabi.main(arguments);
    }
}
"""


def test_the_class_that_plays_a_game_is_there_for_main_methods() -> None:
    assert outcome(packed({"Agent10000041.java": PLAYS}))[0] == FaultKind.ILLEGAL


def test_an_unneeded_file_that_does_not_compile_is_left_out_with_a_note() -> None:
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


def agent(name: str, *, body: str = "") -> str:
    return (
        f"package agents;\npublic class {name} implements hanabAI.Agent {{ {body}\n"
        "    public hanabAI.Action doAction(hanabAI.State s) { return null; }\n}\n"
    )


BROKEN = "int next = ;"


LEFT_OUT = [
    {"Good": agent("Good"), "Better": agent("Better", body=BROKEN)},
    {"Agent10000041": PLAYS, "Old": agent("Old", body=BROKEN)},
    {"Good": agent("Good"), "Better": "class Better extends Good { Missing missing; }\n"},
    {"Good": agent("Good"), "BasicAgent": agent("BasicAgent", body=BROKEN)},
]


@pytest.mark.parametrize("files", deeper(LEFT_OUT[:2], deep=LEFT_OUT))
def test_an_agent_that_does_not_compile_is_left_out_beside_one_that_does(
    files: dict[str, str],
) -> None:
    build = built(packed({f"agents/{name}.java": text for name, text in files.items()}))
    assert build.ok, build.messages
    (note,) = build.messages
    assert note.file == f"agents/{list(files)[1]}.java"
    assert note.text.startswith("not used: it does not compile, and the agent does not need it: ")


NEEDS_IT = PLAYS.replace("return null;", "return training.Trainer.best(s);")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"agents/Agent10000041.java": NEEDS_IT, "training/Trainer.java": TRAINER},
            "package org.neuroph.core does not exist",
        ),
        (
            {
                "agents/Agent10000041.java": agent("Agent10000041", body=BROKEN),
                "agents/Old.java": agent("Old"),
            },
            "illegal start of expression",
        ),
        (
            {
                "agents/BasicAgent.java": agent("BasicAgent"),
                "agents/Mine.java": agent("Mine", body=BROKEN),
            },
            "illegal start of expression",
        ),
    ],
)
def test_a_file_that_the_agent_needs_or_that_would_play_instead_is_not_left_out(
    files: dict[str, str], complaint: str
) -> None:
    build = built(packed(files))
    assert not build.ok
    assert complaint in build.messages[0].text


def test_a_syntax_error_hides_no_other_files_errors() -> None:
    build = built(
        packed(
            {
                "agents/Agent10000041.java": NEEDS_IT,
                "agents/Helper.java": "package agents;\nclass Helper { int half = one; }\n",
                "training/Trainer.java": "package training;\npublic class Trainer { int x = ; }\n",
            }
        )
    )
    assert not build.ok
    told = {(one.file, one.line) for one in build.messages}
    assert told >= {("agents/Helper.java", 2), ("training/Trainer.java", 2)}


@pytest.mark.parametrize(
    ("files", "used"),
    [
        ({"old/agents/Agent10000041.java": PLAYS.replace("return null;", "return null; /* old */")},
         ["refused"]),
        ({"old/agents/Agent10000041.java": PLAYS},
         ["old/agents/Agent10000041.java"]),
        ({"old/Try.java": "class Try { int old; }\n", "src/Try.java": "class Try { }\n"},
         ["src/agents/Agent10000041.java"]),
    ],
)  # fmt: skip
def test_nothing_is_guessed_about_two_versions_of_a_class(
    files: dict[str, str], used: list[str]
) -> None:
    files = {"src/agents/Agent10000041.java": PLAYS, **files}
    build = built(packed(files))
    assert "duplicate class: " in build.messages[-1].text
    noted = {message.file for message in build.messages}
    assert (sorted(files.keys() - noted) if build.ok else ["refused"]) == used


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (("a.First",), "there is no class Second, which is to play; there are a.First"),
        (("a.Second", "b.Second"), "there are several classes Second: a.Second, b.Second"),
    ],
)
def test_a_choice_that_fits_no_class_or_several_is_refused(
    names: tuple[str, ...], complaint: str
) -> None:
    build = built(several(*names, choice='{"class": "Second"}'))
    assert not build.ok
    assert [(one.file, one.text) for one in build.messages] == [("", complaint)]

"""Java agents that keep their machine for the next game, and the compiled files of an upload."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    BuildReport,
    Fault,
    GameRequest,
)
from grader.hostile import arena
from grader.hostile.hostile_programs import LANGUAGES, LIMITS, default_suite
from grader.house.catalogue import AGENTS
from grader.play.batch import open_batch
from grader.uploads.archive import SourceFile, Sources
from sandbox.container import owned_users
from tests.support.slots import confined

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.usefixtures("docker_engine")]

JAVA = LANGUAGES[".java"]
GENEROUS = replace(LIMITS, turn_seconds=2.0, turn_wall_seconds=6.0)
AGENT = """
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.*;
import java.util.stream.*;

public class Honest extends Hostile {{
    private static final Map<Object, Integer> SEEN = new HashMap<>();

    protected Action attack(State state) {{
        {code}
        return null;
    }}
}}
"""
NARROW = (
    'System.out.println(String.format("%s", List.of(1, 2).stream().map(i -> i + 1).count()));',
    'record Pair(int a, String b) {} SEEN.put(new Pair(1, "x"), new Random(5).nextInt());',
    'try (Scanner in = new Scanner("x")) { SEEN.put(in.next(), 1); }',
    "synchronized (SEEN) { SEEN.merge(getClass().getName(), 1, Integer::sum); }",
    "var lock = new java.util.concurrent.locks.ReentrantReadWriteLock(); lock.readLock().lock();",
    'Thread.currentThread().setName("agent of a student");',
)
WIDE = (
    "new Thread().getName();",
    "Class<?> found = ((Object) this).getClass().getSuperclass().getSuperclass();",
    '"x".intern();',
    "Object note = (Runnable) Thread.currentThread()::stop;",
    'java.util.concurrent.locks.LockSupport.setCurrentBlocker("a note");',
    "ResourceBundle.clearCache();",
    "ListResourceBundle.clearCache();",
)


def archive(files: Mapping[str, str]) -> bytes:
    kit = (default_suite() / JAVA.kit).read_text(encoding="utf-8")
    texts = {JAVA.kit: kit, **files}
    return Sources(
        tuple(SourceFile(name, texts[name].encode()) for name in sorted(texts))
    ).archive()


def machines_left(code: str, beside: Mapping[str, str] = MappingProxyType({})) -> int:
    """The number of processes of two seats that stay between two games."""
    seeds = list(arena.deal_seeds([True, False], JAVA))
    request = arena.batch_request(GENEROUS, seeds, JAVA)
    source = AGENT.format(code=code)
    with open_batch(request, [archive({"Honest.java": source, **beside})], confined()) as batch:
        assert batch.playable, batch.builds
        games = batch.games()
        first = next(games)
        left = len(processes()) - arena.SEATS
        assert [one.record.fault for one in (first, *games)] == [None, None]
    return left


def faults_on(deals: Sequence[str]) -> list[Fault | None]:
    """Of an agent that leaves itself notes of deals: games of Hearts, in which it takes turns with
    another at the two seats."""
    program = (default_suite() / "NotesOfADeal.java").read_bytes()
    request = BatchRequest(
        evaluation="notes",
        batch="notes",
        game="hearts",
        options={"players": 2, "hands": 1, "passing": "none"},
        limits=AgentLimits(),
        agents=tuple(
            AgentRef(interface=name, sha256="0" * 64) for name in ("stdio-java", "python")
        ),
        seating=(0, 1),
        games=tuple(
            GameRequest(index=index, deal_seed=deal, seating=((0, 1), (1, 0))[index % 2])
            for index, deal in enumerate(deals)
        ),
        max_consecutive_faults=0,
        check_first=False,
    )
    archives = [
        Sources((SourceFile("NotesOfADeal.java", program),)).archive(),
        AGENTS["hearts/low_card"].bundle(),
    ]
    with open_batch(request, archives, confined()) as batch:
        assert batch.playable, batch.builds
        return [result.record.fault for result in batch.games()]


def processes() -> list[int]:
    """The processes of our containers, supervisors included."""
    users = owned_users()
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                if path.stat().st_uid in users:
                    found.append(int(path.name))
            except FileNotFoundError:
                continue
    return found


def test_an_agent_that_only_computes_keeps_its_machine() -> None:
    assert machines_left("\n".join(f"{{ {code} }}" for code in NARROW)) == arena.SEATS


def test_an_agent_at_another_seat_of_a_deal_knows_nothing_of_its_earlier_game() -> None:
    assert faults_on(["11" * 32] * 2 + ["22" * 32] * 2) == [None] * 4


@pytest.mark.parametrize("code", WIDE)
def test_an_agent_that_names_shared_state_has_a_fresh_machine_for_each_game(code: str) -> None:
    assert machines_left(code) == 0


def test_an_agent_with_a_class_named_like_javas_has_a_fresh_machine_for_each_game() -> None:
    """Its own is never loaded: what it means to call is not what it would."""
    stub = "package jdk.internal.misc;\npublic class VM { public static void shutdown() {} }\n"
    assert machines_left("", {"VM.java": stub}) == 0


@pytest.mark.parametrize("name", ["firebox.boot.Boot", "firebox.mine.Own", "com.google.gson.Gson"])
def test_classes_in_reserved_packages_are_refused(name: str) -> None:
    package, _, own = name.rpartition(".")
    text = f"package {package};\npublic class {own} {{ public static void warmUp() {{}} }}\n"
    code = f"{name}.warmUp();"
    report = built({"Honest.java": AGENT.format(code=code), f"{own}.java": text})
    assert not report.ok
    (message,) = report.messages
    assert message.file == f"{own}.java"
    assert message.text.startswith(f"{name} is in a package that is Firebox's own")


def built(files: Mapping[str, str]) -> BuildReport:
    seeds = list(arena.deal_seeds([False], JAVA))
    request = arena.batch_request(GENEROUS, seeds, JAVA)
    with open_batch(request, [archive(files)], confined()) as batch:
        faults = [result.record.fault for result in batch.games()]
        assert faults == [None] * batch.playable
        return batch.builds[0]


def test_the_courses_framework_in_an_upload_is_left_out_with_a_note() -> None:
    report = built(
        {
            "src/hanabAI/State.java": "package hanabAI;\npublic class State {}\n",
            "src/hanabAI/Hanabi.java": "package hanabAI;\nclass Hanabi { Nowhere nothing; }\n",
            "src/agents/Honest.java": AGENT.format(code=""),
        }
    )
    assert report.ok
    assert [message.file for message in report.messages] == [
        "src/hanabAI/Hanabi.java",
        "src/hanabAI/State.java",
    ]
    assert "not used: " in report.messages[0].text


def test_a_helper_in_the_frameworks_package_is_compiled() -> None:
    helper = "package hanabAI;\npublic class Counter { public static int next; }\n"
    report = built(
        {
            "hanabAI/Counter.java": helper,
            "hanabAI/Trainer.java": "package hanabAI;\nclass Trainer { Nowhere nothing; }\n",
            "Honest.java": AGENT.format(code="hanabAI.Counter.next++;"),
        }
    )
    assert report.ok
    (message,) = report.messages
    assert (message.file, message.line) == ("hanabAI/Trainer.java", 2)
    assert "not used: it does not compile, and the agent does not need it: cannot" in message.text


def test_a_needed_helper_that_does_not_compile_is_reported() -> None:
    report = built(
        {
            "hanabAI/Counter.java": "package hanabAI;\npublic class Counter { int next = ; }\n",
            "Honest.java": AGENT.format(code="new hanabAI.Counter();"),
        }
    )
    assert not report.ok
    (message,) = report.messages
    assert message.file == "hanabAI/Counter.java"
    assert message.text.startswith("illegal start of expression")


def test_an_agent_that_is_in_the_frameworks_package_is_compiled() -> None:
    source = AGENT.format(code="").replace("package agents;", "package hanabAI;")
    source = source.replace("extends Hostile", "extends agents.Hostile implements Agent")
    report = built({"hanabAI/Honest.java": source})
    assert (report.ok, report.messages) == (True, ())

"""Which agents in Java keep their machine for the next game, and what of an upload is compiled."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.archive import SourceFile, Sources
from grader.hostile import arena
from grader.hostile.specimens import LANGUAGES, LIMITS, default_suite
from grader.records import BuildReport
from grader.runner import Slot, open_batch
from sandbox.container import owned_users

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.usefixtures("docker_engine")]

JAVA = LANGUAGES[".java"]
GENEROUS = replace(LIMITS, turn_seconds=2.0, turn_wall_seconds=4.0)
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
    'Thread.currentThread().setName("agent of a student");',
)
WIDE = (
    "new Thread().getName();",
    "Class<?> found = ((Object) this).getClass().getSuperclass().getSuperclass();",
    '"x".intern();',
    "Object note = (Runnable) Thread.currentThread()::stop;",
    "ResourceBundle.clearCache();",
)


def archive(files: Mapping[str, str]) -> bytes:
    kit = (default_suite() / JAVA.kit).read_text(encoding="utf-8")
    texts = {JAVA.kit: kit, **files}
    return Sources(
        tuple(SourceFile(name, texts[name].encode()) for name in sorted(texts))
    ).archive()


def machines_left(code: str) -> int:
    """How many processes of two seats are still there between a game and the next."""
    seeds = list(arena.deal_seeds([True, False], JAVA))
    request = arena.batch_request(GENEROUS, seeds, JAVA)
    source = AGENT.format(code=code)
    with open_batch(request, [archive({"Honest.java": source})], Slot(core=0)) as batch:
        assert batch.playable, batch.builds
        games = batch.games()
        first = next(games)
        left = len(processes()) - arena.SEATS
        assert [one.record.fault for one in (first, *games)] == [None, None]
    return left


def processes() -> list[int]:
    """Those of our containers, supervisors among them."""
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


def test_who_only_computes_keeps_its_machine() -> None:
    assert machines_left("\n".join(f"{{ {code} }}" for code in NARROW)) == arena.SEATS


@pytest.mark.parametrize("code", WIDE)
def test_who_names_what_may_hold_a_note_has_a_fresh_one_each_time(code: str) -> None:
    assert machines_left(code) == 0


def built(files: Mapping[str, str]) -> BuildReport:
    seeds = list(arena.deal_seeds([False], JAVA))
    request = arena.batch_request(GENEROUS, seeds, JAVA)
    with open_batch(request, [archive(files)], Slot(core=0)) as batch:
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


def test_an_agent_that_lies_in_the_frameworks_package_is_compiled() -> None:
    source = AGENT.format(code="").replace("package agents;", "package hanabAI;")
    source = source.replace("extends Hostile", "extends agents.Hostile implements Agent")
    report = built({"hanabAI/Honest.java": source})
    assert (report.ok, report.messages) == (True, ())

"""Processes that play one game after the other, and runtimes that have threads of their own."""

from pathlib import Path

import pytest

from sandbox.control import Sandbox
from sandbox.exits import ExitKind
from sandbox.process import AgentProcess
from sandbox.program import Runtime
from sandbox.timeouts import AskFailure, AskFailureKind
from tests.sandbox.stage import container_sandbox, kept_sandbox
from tests.support.processes import wait_until


def answer(process: AgentProcess, question: bytes = b"?\n") -> bytes:
    reply = process.ask(question, start=True)
    assert isinstance(reply, bytes), reply
    return reply


def play(opened: Sandbox) -> bytes:
    """The output of the process in a game that ends well."""
    process = opened.start_process()
    said = answer(process)
    end = process.finish(b"end\n")
    assert (end.kind, end.status) == (ExitKind.FINISHED, 0)
    return said


def test_a_process_that_answers_the_end_plays_the_next_game(tmp_path: Path) -> None:
    with kept_sandbox("counting", tmp_path) as opened:
        first, second, third = (play(opened.sandbox).split() for _ in range(3))
    assert first[0] == second[0] == third[0]
    assert [first[1], second[1], third[1]] == [b"1", b"2", b"3"]


def test_each_game_is_accounted_for_by_itself(tmp_path: Path) -> None:
    with kept_sandbox("counting", tmp_path) as opened:
        play(opened.sandbox)
        process = opened.sandbox.start_process()
        answer(process)
        end = process.finish(b"end\n")
    assert end.user_us + end.system_us < 100_000
    assert end.peak_memory_kib > 1000


def test_quotas_are_each_games_own(tmp_path: Path) -> None:
    with kept_sandbox("echo", tmp_path, stdout_bytes=1024) as opened:
        for _ in range(5):
            process = opened.sandbox.start_process()
            assert len(answer(process, b"x" * 600 + b"\n")) == 600
            process.finish(b"end\n")


@pytest.mark.slow
def test_after_a_fault_the_next_game_has_a_fresh_process(tmp_path: Path) -> None:
    with kept_sandbox("counting", tmp_path) as opened:
        first = play(opened.sandbox).split()
        process = opened.sandbox.start_process()
        answer(process)
        assert process.finish(None).kind is ExitKind.KILLED
        assert play(opened.sandbox).split()[0] != first[0]


@pytest.mark.parametrize(
    ("talker", "start"),
    [("counting", "for_one_game"), ("rude", "for_many_games"), ("talkative", "for_many_games")],
    ids=["may play one game only", "answers the end with more than a line", "unrequested output"],
)
def test_a_process_is_not_kept(talker: str, start: str, tmp_path: Path) -> None:
    with kept_sandbox(talker, tmp_path, start=start) as opened:
        first, second = (play(opened.sandbox).split() for _ in range(2))
    assert first[0].isdigit()
    assert second[0].isdigit()
    assert first[0] != second[0]
    assert first[1:] == second[1:]


@pytest.mark.slow
def test_a_process_that_does_not_answer_the_end_is_killed(tmp_path: Path) -> None:
    with kept_sandbox("deaf", tmp_path) as opened:
        process = opened.sandbox.start_process()
        answer(process)
        assert process.finish(b"end\n").kind is ExitKind.KILLED
        answer(process := opened.sandbox.start_process())
        process.finish(None)


@pytest.mark.slow
def test_a_process_that_dies_between_games_is_replaced_without_a_fault(tmp_path: Path) -> None:
    with kept_sandbox("leaving", tmp_path) as opened:
        for _ in range(3):
            gone = Path("/proc", play(opened.sandbox).decode())
            wait_until(lambda gone=gone: not gone.exists(), why="it is still there")


@pytest.mark.slow
def test_a_build_ends_a_kept_process(tmp_path: Path) -> None:
    with kept_sandbox("counting", tmp_path) as opened:
        first = play(opened.sandbox).split()
        build = opened.sandbox.build(seconds=5.0, output_bytes=1 << 16)
        assert build.exit.kind is ExitKind.FINISHED
        assert play(opened.sandbox).split()[0] != first[0]


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_runtime_keeps_its_threads_and_an_agent_starts_none(tmp_path: Path) -> None:
    how = {"runtime": Runtime(start="talkers:start_thread", threads=2)}
    with container_sandbox("threads", tmp_path, how=how) as opened:
        process = opened.sandbox.start_process()
        assert answer(process) == b"2"
        trouble = process.ask(b"another\n")
        assert isinstance(trouble, AskFailure)
        assert trouble.kind is AskFailureKind.CLOSED
        assert process.finish(None).kind is ExitKind.FORBIDDEN

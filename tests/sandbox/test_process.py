"""One agent process behind real pipes: how it talks, what it is charged, how it ends."""

import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from sandbox import clock as clocks
from sandbox.clock import Usage
from sandbox.errors import SandboxLost
from sandbox.exits import Exit, ExitKind
from sandbox.process import AgentProcess
from sandbox.timeouts import AskFailure, AskFailureKind
from tests.sandbox.stage import IMPATIENT, plain_sandbox

Start = Callable[..., AgentProcess]
DESCRIPTORS = Path("/proc/self/fd")
"""Of this process, the open ones."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a talker in a plain sandbox, with other limits if asked; ends it if a test did not."""
    with ExitStack() as stack:

        def start(talker: str, **changes: Any) -> AgentProcess:
            opened = stack.enter_context(plain_sandbox(talker, tmp_path, **changes))
            process = opened.sandbox.start_process()
            finish = process.finish
            ends: list[Exit] = []

            def noted(*arguments: Any, **more: Any) -> Exit:
                ends.append(finish(*arguments, **more))
                return ends[-1]

            process.finish = noted  # type: ignore[method-assign]
            stack.callback(lambda: ends or finish(None))
            return process

        yield start


def trouble(answer: bytes | AskFailure) -> AskFailureKind:
    assert isinstance(answer, AskFailure), answer
    return answer.kind


def test_a_reply_comes_without_its_newline(start: Start) -> None:
    process = start("echo")
    assert [process.ask(b"one\n"), process.ask(b"two\n")] == [b"one", b"two"]
    assert process.finish(b"").kind is ExitKind.FINISHED


@pytest.mark.slow
def test_a_quick_reply_is_charged_its_wall_time(start: Start) -> None:
    process = start("echo")
    process.ask(b"one\n", start=True)
    process.ask(b"two\n")
    assert 0 < process.charged_us < 100_000


def test_a_reply_given_before_the_question_is_taken_for_the_first_one(start: Start) -> None:
    process = start("early")
    assert [process.ask(b"one\n"), process.ask(b"two\n")] == [b"early", b"one"]


@pytest.mark.slow
def test_a_reply_in_two_writes_is_one_reply(start: Start) -> None:
    process = start("in_two_writes")
    assert process.ask(b"hello\n", start=True) == b"hello"
    assert process.ask(b"world\n") == b"world"


def test_a_second_line_stays_for_the_next_question(start: Start) -> None:
    process = start("two_lines")
    assert [process.ask(b"1\n"), process.ask(b"2\n"), process.ask(b"3\n")] == [
        b"one", b"two", b"one",
    ]  # fmt: skip


def test_a_line_without_end_is_cut_off(start: Start) -> None:
    process = start("without_newline")
    answer = process.ask(b"hello\n")
    assert isinstance(answer, AskFailure)
    assert answer.kind is AskFailureKind.LONG_LINE
    assert len(answer.received) <= 4096


@pytest.mark.slow
def test_the_newline_counts_towards_the_longest_line(start: Start) -> None:
    longest, too_long = start("padded", reply_bytes=200), start("padded", reply_bytes=199)
    assert longest.ask(b"hello\n", start=True) == b"x" * 199
    assert trouble(too_long.ask(b"hello\n", start=True)) is AskFailureKind.LONG_LINE


def test_all_lines_of_a_game_together_have_a_quota(start: Start) -> None:
    process = start("padded", stdout_bytes=1024)
    answers = [process.ask(b"hello\n", start=True) for _ in range(6)]
    assert [type(answer) for answer in answers] == [bytes] * 5 + [AskFailure]
    assert trouble(answers[-1]) is AskFailureKind.QUOTA


def test_a_flood_on_standard_error_hinders_nobody_and_is_cut(start: Start) -> None:
    process = start("noisy")
    assert [process.ask(b"one\n"), process.ask(b"two\n")] == [b"one", b"two"]
    end = process.finish(b"")
    assert end.stderr.startswith("noise noise")
    assert "bytes left out" in end.stderr
    assert len(end.stderr) < 4200


@pytest.mark.slow
@pytest.mark.parametrize("talker", ["closes_stdout", "exits"])
def test_a_closed_pipe_is_noticed_at_once(start: Start, talker: str) -> None:
    process = start(talker)
    assert trouble(process.ask(b"hello\n", start=True)) is AskFailureKind.CLOSED
    assert process.charged_us < 1_000_000


@pytest.mark.slow
def test_a_process_that_closed_its_pipe_and_lives_is_ended(start: Start) -> None:
    process = start("closes_stdout")
    process.ask(b"hello\n", start=True)
    assert process.finish(None).kind is ExitKind.KILLED


@pytest.mark.slow
def test_a_process_that_lives_without_its_first_thread_is_ended(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("leaves_a_thread")
    process.ask(b"hello\n", start=True)
    wait_until(lambda: state(process._clock.pid) == "Z")
    wait_exit = process._control.wait_exit
    monkeypatch.setattr(process._control, "wait_exit", lambda seconds: wait_exit(seconds / 20))
    assert process.finish(None).kind is ExitKind.KILLED


def test_the_exit_status_and_the_last_output_are_reported(start: Start) -> None:
    process = start("exits")
    process.ask(b"hello\n", start=True)
    end = process.finish(None)
    assert (end.kind, end.status, end.stderr) == (ExitKind.FAILED, 3, "good-bye\n")


@pytest.mark.slow
def test_a_process_that_closed_its_questions_cannot_be_asked(start: Start) -> None:
    process = start("closes_stdin", start_seconds=2.0, turn_seconds=2.0, turn_wall_seconds=2.0)
    first = process.ask(b"x" * 65535 + b"\n", start=True)
    assert trouble(first) in {AskFailureKind.CLOSED, AskFailureKind.IDLE}


@pytest.mark.slow
def test_long_questions_to_one_that_never_reads_end_in_idleness(start: Start) -> None:
    process = start("never_reads", **IMPATIENT)
    assert process.ask(b"hello\n", start=True) == b"hello"
    assert trouble(process.ask(b"x" * 65535 + b"\n")) is AskFailureKind.IDLE


def test_a_long_question_arrives_whole(start: Start) -> None:
    process = start("echo", reply_bytes=1 << 16)
    question = b"x" * 65534 + b"\n"
    assert process.ask(question, start=True) == question[:-1]


@pytest.mark.slow
def test_computing_beyond_the_limit_is_a_timeout(start: Start) -> None:
    process = start("as_asked", turn_seconds=0.6, turn_wall_seconds=3.0)
    assert process.ask(b"0\n", start=True) == b"0"
    assert process.ask(b"200\n") == b"200"
    assert 190_000 < process.charged_us < 500_000
    assert trouble(process.ask(b"2000\n")) is AskFailureKind.TIMEOUT
    assert process.charged_us < 2_000_000


@pytest.mark.slow
def test_time_charged_earlier_in_a_turn_counts_towards_its_limit(start: Start) -> None:
    process = start("as_asked", turn_seconds=1.0, turn_wall_seconds=3.0)
    process.ask(b"0\n", start=True)
    assert process.ask(b"100\n", before_us=100_000) == b"100"
    assert 190_000 < process.charged_us < 500_000
    assert trouble(process.ask(b"100\n", before_us=950_000)) is AskFailureKind.TIMEOUT


def test_a_reply_that_came_while_the_question_was_sent_is_not_charged_for_that_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question wakes the agent, and on a busy host this thread gets its processor back late."""
    process = start("echo")
    process.ask(b"one\n", start=True)
    push, waited = process._push, 0

    def push_slowly(rest: bytes) -> bytes:
        nonlocal waited
        began, rest = time.monotonic(), push(rest)
        wait_until(lambda: bool(select.select([process._out], [], [], 0)[0]))
        wait_until(lambda: time.monotonic() > began + 0.2)
        waited += int((time.monotonic() - began) * 1e9)
        return rest

    monkeypatch.setattr(process, "_push", push_slowly)
    monkeypatch.setattr(clocks, "own_wait_ns", lambda: waited)
    assert process.ask(b"two\n", before_us=1) == b"two"
    assert process.charged_us < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("is_same_turn", [True, False])
def test_what_the_host_lost_earlier_in_a_turn_is_a_reason_for_doubt(
    start: Start, monkeypatch: pytest.MonkeyPatch, *, is_same_turn: bool
) -> None:
    process = start("as_asked", turn_seconds=1.0, turn_wall_seconds=3.0)
    process.ask(b"0\n", start=True)
    stolen = iter([0, 10**9])
    monkeypatch.setattr(clocks, "stolen_ns", lambda _: next(stolen, 10**9))
    process.ask(b"30\n")
    if not is_same_turn:
        process.ask(b"0\n")
    answer = process.ask(b"100\n", before_us=950_000)
    assert isinstance(answer, AskFailure)
    assert answer.doubtful is is_same_turn


@pytest.mark.slow
def test_a_process_that_timed_out_dumps_its_stack(start: Start) -> None:
    process = start("last_words", **IMPATIENT)
    process.ask(b"ready\n", start=True)
    assert trouble(process.ask(b"and on\n")) is AskFailureKind.TIMEOUT
    end = process.finish(None, dump_stack=True)
    assert (end.kind, end.stderr) == (ExitKind.KILLED, "it was here")


@pytest.mark.slow
def test_a_process_that_does_not_dump_its_stack_is_killed(start: Start) -> None:
    process = start("deaf", **IMPATIENT)
    process.ask(b"ready\n", start=True)
    assert trouble(process.ask(b"and on\n")) is AskFailureKind.TIMEOUT
    end = process.finish(None, dump_stack=True)
    assert (end.kind, end.stderr) == (ExitKind.KILLED, "")


@pytest.mark.slow
def test_a_slow_turn_pays_for_no_quick_ones_before_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the process's clock was read before all of them."""
    monkeypatch.setattr("sandbox.process._FRESH_NS", 60_000_000_000)
    process = start("as_asked", turn_seconds=1.0, turn_wall_seconds=3.0)
    process.ask(b"0\n", start=True)
    for _ in range(10):
        process.ask(b"10\n")
    assert process.ask(b"200\n") == b"200"
    assert 150_000 < process.charged_us < 280_000


@pytest.mark.parametrize("milliseconds", [b"0", b"40"])
def test_a_reply_that_waits_for_a_host_that_stands_still_is_charged_no_longer(
    start: Start, monkeypatch: pytest.MonkeyPatch, milliseconds: bytes
) -> None:
    """Whether the host stood still or had others run: nobody was there to read it."""
    process = start("as_asked", turn_seconds=0.3, turn_wall_seconds=0.6)
    process.ask(b"0\n", start=True)
    reads = process._read

    def read_late() -> bytes:
        select.select([], [], [], 0.5)
        return reads()

    monkeypatch.setattr(process, "_read", read_late)
    assert process.ask(milliseconds + b"\n") == milliseconds
    assert process.charged_us < 200_000


def test_a_process_that_somebody_on_the_host_stops_may_have_kept_its_limit(start: Start) -> None:
    process = start("echo", turn_seconds=0.1, turn_wall_seconds=0.2)
    process.ask(b"one\n", start=True)
    os.kill(process._clock.pid, signal.SIGSTOP)
    failure = process.ask(b"two\n")
    assert trouble(failure) is AskFailureKind.IDLE
    assert isinstance(failure, AskFailure)
    assert failure.doubtful


@pytest.mark.slow
def test_the_start_has_a_limit_of_its_own(start: Start) -> None:
    process = start("as_asked", **IMPATIENT)
    assert process.ask(b"700\n", start=True) == b"700"


@pytest.mark.slow
def test_thinking_between_turns_is_charged_to_the_next_turn(start: Start) -> None:
    process = start("thinks_ahead")
    process.ask(b"one\n", start=True)
    wait_until(lambda: process._clock.read().ran > 250_000_000)
    assert process.ask(b"two\n") == b"two"
    assert process.charged_us > 200_000
    assert process.offences == 1


@pytest.mark.slow
def test_a_slow_turn_earns_no_time_to_think_between_turns(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("in_two_writes")
    assert process.ask(b"one\n", start=True) == b"one"
    after = process.usage()
    ahead = Usage(after.ran + 40_000_000, after.waited)
    monkeypatch.setattr(process._clock, "read", lambda: ahead)
    assert process.ask(b"two\n") == b"two"
    assert process.offences == 1


@pytest.mark.slow
def test_a_quick_reply_does_not_hide_what_was_thought_between_turns(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.process._FRESH_NS", 0)
    process = start("echo")
    process.ask(b"one\n", start=True)
    after = process.usage()
    ahead = Usage(after.ran + 400_000_000, after.waited)
    monkeypatch.setattr(process._clock, "read", lambda: ahead)
    assert process.ask(b"two\n") == b"two"
    assert process.offences == 1
    assert process.charged_us > 200_000


@pytest.mark.slow
def test_a_process_that_thought_ahead_is_stopped_between_its_turns(start: Start) -> None:
    process = start("thinks_ahead")
    process.ask(b"one\n", start=True)
    wait_until(lambda: process._clock.read().ran > 250_000_000)
    process.ask(b"two\n")
    clock = Path(f"/proc/self/fd/{process._clock._descriptor}").readlink()
    pid = int(clock.parent.name)
    wait_until(lambda: state(pid) == "T")
    assert process.ask(b"three\n") == b"three"


@pytest.mark.slow
def test_a_process_that_thinks_ahead_for_longer_than_a_turn_times_out(start: Start) -> None:
    process = start("thinks_ahead", turn_seconds=0.1, turn_wall_seconds=0.2)
    process.ask(b"one\n", start=True)
    wait_until(lambda: process._clock.read().ran > 250_000_000)
    assert trouble(process.ask(b"two\n")) is AskFailureKind.TIMEOUT


@pytest.mark.slow
def test_the_usage_of_an_ended_process_is_reported(start: Start) -> None:
    process = start("as_asked")
    process.ask(b"100\n", start=True)
    end = process.finish(b"")
    assert 90_000 < end.user_us + end.system_us < 500_000
    assert 1000 < end.peak_memory_kib < 100_000


def state(pid: int) -> str:
    """One letter: R runs, S sleeps, T is stopped, Z has ended."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]


def wait_until(condition: Callable[[], bool], *, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail("it did not come to pass")
        os.sched_yield()


def test_a_supervisor_that_ends_is_not_blamed_on_a_container_where_there_is_none(
    tmp_path: Path,
) -> None:
    with plain_sandbox("echo", tmp_path) as opened:
        opened._supervisor.kill()
        with pytest.raises(SandboxLost, match=r"^the supervisor ended$"):
            opened.sandbox._control._receive(5.0)


def test_a_build_without_a_processor_leaves_no_descriptors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.control._STARVED_FACTOR", 0)
    with plain_sandbox("echo", tmp_path) as opened:
        before = len(list(DESCRIPTORS.iterdir()))
        with pytest.raises(SandboxLost, match="gave a build no processor"):
            opened.sandbox.build(seconds=5.0, output_bytes=1000)
        assert len(list(DESCRIPTORS.iterdir())) == before

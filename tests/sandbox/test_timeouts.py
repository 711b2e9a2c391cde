"""The fair clock's decisions, with figures. Limit 1 s, wall limit 3 s, unless a test says so."""

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from grader.worker.cores import bound_to
from sandbox import clock as clocks
from sandbox.clock import FamilyClock, HostClock, ProcessClock, Usage, own_wait_ns, stolen_ns
from sandbox.errors import SandboxLost
from sandbox.timeouts import AskFailure, AskFailureKind, Meter
from tests.support.every import every
from tests.support.processes import wait_until
from tests.support.slots import own_core

NEVER_RAN = Usage(0, 0)


def looked_at(*, wall: float, ran: float, waited: float = 0.0, extra: float = 0.0) -> Meter:
    """A meter after one look, all times in seconds."""
    meter = Meter(10**9, 3 * 10**9, int(extra * 1e9))
    meter.look(int(wall * 1e9), Usage(int(ran * 1e9), int(waited * 1e9)), NEVER_RAN)
    return meter


def kind(trouble: AskFailure | None) -> AskFailureKind | None:
    return trouble.kind if trouble is not None else None


@every(
    ("why", "times", "charged"),
    [
        ("waiting for a processor", {"wall": 2.51, "ran": 0.367, "waited": 2.143}, 0.367),
        ("sleeping", {"wall": 0.7, "ran": 0.0}, 0.7),
        ("computation before the turn", {"wall": 0.5, "ran": 0.5, "extra": 0.4}, 0.9),
        ("more waiting than wall time", {"wall": 0.010, "ran": 0.0, "waited": 0.011}, 0.0),
        ("another thread's wait", {"wall": 2.0, "ran": 1.5, "waited": 1.9}, 1.5),
    ],
)
def test_computing_and_sleeping_are_charged_and_waiting_is_not(
    why: str, times: dict[str, float], charged: float
) -> None:
    assert looked_at(**times).charged_ns == pytest.approx(charged * 1e9, abs=1e3), why


def test_only_what_was_used_since_the_question_counts() -> None:
    meter = Meter(10**9, 3 * 10**9, 0)
    meter.look(500_000_000, Usage(9_300_000_000, 7_200_000_000), Usage(9 * 10**9, 7 * 10**9))
    assert meter.charged_ns == 300_000_000


TIMEOUT, IDLE = AskFailureKind.TIMEOUT, AskFailureKind.IDLE


@every(
    ("times", "replied", "expected"),
    [
        ({"wall": 2.51, "ran": 0.367, "waited": 2.143}, True, None),
        *(({"wall": in_time, "ran": in_time}, True, None) for in_time in (0.8, 0.95, 1.0)),
        *(({"wall": late, "ran": late}, True, TIMEOUT) for late in (1.01, 1.2, 1.3)),
        ({"wall": 1.1, "ran": 1.1}, False, None),  # a moment to reply
        ({"wall": 1.21, "ran": 1.21}, False, TIMEOUT),
        ({"wall": 2.9, "ran": 0.1}, False, None),
        ({"wall": 3.1, "ran": 0.1}, False, IDLE),
        ({"wall": 3.1, "ran": 1.5}, False, IDLE),  # it slept most of the time
        ({"wall": 2.0, "ran": 0.9}, False, None),
        ({"wall": 30.0, "ran": 0.4, "waited": 29.5}, False, None),  # it starves
        ({"wall": 0.001, "ran": 0.0, "extra": 5.0}, True, TIMEOUT),  # it thought ahead
    ],
)
def test_a_turn_is_late_by_what_it_is_charged_and_idle_by_the_wall(
    times: dict[str, float], expected: AskFailureKind | None, *, replied: bool
) -> None:
    assert kind(looked_at(**times).overrun(replied=replied)) is expected


def test_a_host_that_gives_no_processor_for_a_minute_loses_the_sandbox() -> None:
    with pytest.raises(SandboxLost, match="no processor"):
        looked_at(wall=61.0, ran=0.1, waited=60.9)


def test_the_clock_reads_this_process() -> None:
    clock = ProcessClock(os.getpid())
    before = clock.read()
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert clock.read().ran - before.ran == pytest.approx(0.05e9, abs=0.02e9)
    clock.close()


PARENT = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1]])
"""
COMPUTES = "import time\nwhile time.process_time() < 0.3: pass"


def family(child: str, *, rivals: int) -> tuple[float, float]:
    """The time charged for a process whose child runs beside others, and wall time."""
    spin = [sys.executable, "-c", "while True: pass"]
    with bound_to(own_core()):
        others = [subprocess.Popen(spin) for _ in range(rivals)]
        process = subprocess.Popen([sys.executable, "-c", PARENT, child])
        clock, began = FamilyClock(process.pid), time.monotonic()
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            charged = clock.read()
            select.select([], [], [], 0.02)
        wall = time.monotonic() - began
        for other in others:
            other.kill()
            other.wait()
        process.wait()
    return charged, wall


@pytest.mark.slow
def test_a_familys_waiting_for_a_processor_is_not_charged() -> None:
    charged, wall = family(COMPUTES, rivals=4)
    assert wall > 3 * charged
    assert charged > 0.2  # the last look was before the end


@pytest.mark.slow
def test_a_familys_sleep_is_charged() -> None:
    charged, wall = family("import time; time.sleep(0.6)", rivals=0)
    assert 0.5 < charged < wall + 0.05


def test_a_reader_that_was_kept_from_running_charges_a_family_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The host was paused, for example, when the compiler had all but ended."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    clock, now = FamilyClock(process.pid), time.monotonic() + 60
    monkeypatch.setattr(clocks.time, "monotonic", lambda: now)
    assert clock.read() < 1
    process.communicate(b"\n")


def test_a_family_that_somebody_on_the_host_stops_is_charged_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
    clock, now = FamilyClock(process.pid), time.monotonic() + 0.2
    monkeypatch.setattr(clocks.time, "monotonic", lambda: now)
    assert clock.read() < 0.1
    process.send_signal(signal.SIGCONT)
    process.communicate(b"\n")


def test_a_process_that_is_gone_has_used_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    assert FamilyClock(process.pid).read() < 0.1
    with closing(ProcessClock(1 << 30)) as clock:
        assert clock.read() == Usage(0, 0)


WORKS_FOR_ANOTHER = """
import ctypes, threading, time

def work():
    ctypes.CDLL(None).prctl(15, b"stand-in", 0, 0, 0)  # PR_SET_NAME
    print("named", flush=True)
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    print("worked", flush=True)
    input()

threading.Thread(target=work).start()
"""


@pytest.mark.slow
def test_a_thread_that_works_while_the_first_waits_for_it_counts() -> None:
    command = [sys.executable, "-c", WORKS_FOR_ANOTHER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"named\n"
        with (
            closing(ProcessClock(process.pid)) as alone,
            closing(ProcessClock(process.pid, "stand-in")) as both,
            closing(ProcessClock(process.pid, "nobody")) as unknown,
        ):
            before = alone.read().ran, both.read().ran
            assert both.is_runnable()
            assert process.stdout.readline() == b"worked\n"
            assert alone.read().ran - before[0] < 0.05e9
            assert both.read().ran - before[1] > 0.15e9
            assert both.read().waited > alone.read().waited
            assert unknown.read() == alone.read()
        process.stdin.write(b"\n")


def test_the_last_figures_stand_when_a_process_has_ended() -> None:
    ready, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(go)
        os.read(ready, 1)
        os._exit(0)
    os.close(ready)
    clock = ProcessClock(pid)
    wait_until(lambda: clock.read().ran > 0, why="the child never ran")
    last = clock.read()
    os.close(go)
    os.waitpid(pid, 0)
    assert clock.read() == last
    clock.close()


@pytest.mark.parametrize("ran", [0.0, 0.5, 1.05])
def test_a_timeout_is_beyond_doubt_if_the_host_lost_no_time(ran: float) -> None:
    """However near the limit it is, and however long the process slept: both are its own choice."""
    meter = looked_at(wall=1.05, ran=ran)
    assert kind(meter.overrun(replied=True)) is AskFailureKind.TIMEOUT
    assert not meter.is_doubtful(0)


@pytest.mark.parametrize(("lost", "doubtful"), [(0.04, False), (0.06, True), (2.0, True)])
def test_a_timeout_is_doubtful_if_what_the_host_lost_explains_it(
    lost: float, *, doubtful: bool
) -> None:
    assert looked_at(wall=1.05, ran=0.2).is_doubtful(int(lost * 1e9)) is doubtful


def test_a_turn_within_its_limit_is_never_doubtful() -> None:
    assert not looked_at(wall=0.99, ran=0.99).is_doubtful(10**9)


def test_a_late_look_counts_as_time_that_the_host_lost_and_one_in_time_does_not() -> None:
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns() - 2 * 10**9, own_wait_ns())
    assert host.look(20_000_000) == pytest.approx(1.98e9, abs=0.2e9)
    assert host.lost_ns() == pytest.approx(1.98e9, abs=0.2e9)
    host.look(10_000_000)
    assert host.lost_ns() == pytest.approx(1.98e9, abs=0.2e9)
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns() - 20_000_000, own_wait_ns())
    host.look(20_000_000)
    assert host.lost_ns() < 10**8


def test_a_look_that_waited_for_a_processor_counts_no_lost_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The agent's own waits are known exactly: a busy host is no reason for doubt."""
    monkeypatch.setattr(clocks, "own_wait_ns", lambda: 7 * 10**9)
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns() - 2 * 10**9, 5 * 10**9)
    host.look(20_000_000)
    assert host.lost_ns() < 10**8


def test_a_look_is_late_by_the_time_that_its_thread_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reply may have been there since that wait began."""
    monkeypatch.setattr(clocks, "own_wait_ns", lambda: 5_000_000_000)
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns(), 4_991_000_000)
    assert host.look(2_000_000_000) == 9_000_000


def test_stolen_time_is_that_of_the_turns_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """proc(5): user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice."""
    stat = b"cpu  9 9 9 9 9 9 9 700 0 0\ncpu0 1 1 1 1 1 1 1 300 0 0\ncpu1 1 1 1 1 1 1 1 400 0 0\n"
    monkeypatch.setattr(clocks, "_host_figures", lambda: stat + b"intr 5\n")
    tick = 10**9 // os.sysconf("SC_CLK_TCK")
    assert stolen_ns(frozenset({1})) == 400 * tick
    assert stolen_ns(frozenset({0, 1})) == 700 * tick


def test_only_what_is_stolen_in_the_turn_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    stolen = iter([5 * 10**9, 6 * 10**9])
    monkeypatch.setattr(clocks, "stolen_ns", lambda _: next(stolen))
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns(), own_wait_ns())
    assert host.lost_ns() == 10**9


def test_a_wait_before_the_turn_hides_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    host = HostClock(os.getpid())
    monkeypatch.setattr(clocks, "own_wait_ns", lambda: 7 * 10**9)
    host.watch(time.perf_counter_ns() - 2 * 10**9, 7 * 10**9)
    host.look(20_000_000)
    assert host.lost_ns() == pytest.approx(1.98e9, abs=0.2e9)


def test_time_that_was_stolen_and_seen_as_a_stall_counts_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stolen = iter([0, 10**9])
    monkeypatch.setattr(clocks, "stolen_ns", lambda _: next(stolen))
    host = HostClock(os.getpid())
    host.watch(time.perf_counter_ns() - 10**9, own_wait_ns())
    host.look(0)
    assert host.lost_ns() == pytest.approx(1e9, rel=0.1)


def test_a_child_process_reads_its_own_waits() -> None:
    """The file of the thread that forked speaks of that thread."""
    own_wait_ns()
    child = os.fork()
    if not child:
        code = 1
        try:
            own_wait_ns()
            files = [str(file.resolve()) for file in Path("/proc/self/fd").glob("*")]
            code = int(f"/proc/{os.getpid()}/task/{os.getpid()}/schedstat" not in files)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0

"""Small programs in the place of an adapter, each with one way of talking. Standard library only.

Called like any adapter's entries: with the paths of the agent and of the artefact, and the
descriptors of the pipes.
"""

import ctypes
import fcntl
import importlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator


def echo(agent: str, artefact: str, questions: int, answers: int) -> None:
    for line in _lines(questions):
        os.write(answers, line)


def early(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer before the first question, then echo."""
    os.write(answers, b"early\n")
    echo(agent, artefact, questions, answers)


def in_two_writes(agent: str, artefact: str, questions: int, answers: int) -> None:
    for line in _lines(questions):
        os.write(answers, line[:2])
        time.sleep(0.05)
        os.write(answers, line[2:])


def late(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer the first question at once, and others after 0.1 s."""
    for number, line in enumerate(_lines(questions)):
        time.sleep(0.1 if number else 0)
        os.write(answers, line)


def two_lines(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Give two answers to every question."""
    for _ in _lines(questions):
        os.write(answers, b"one\ntwo\n")


def without_newline(agent: str, artefact: str, questions: int, answers: int) -> None:
    while True:
        os.write(answers, b"x" * 1000)


def padded(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer with lines of 200 bytes."""
    for _ in _lines(questions):
        os.write(answers, b"x" * 199 + b"\n")


def noisy(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Print a mebibyte for every question."""
    for line in _lines(questions):
        for _ in range(16):
            os.write(2, b"noise " * 10923)
        os.write(answers, line)


def floods(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Print three megabytes for every question."""
    for line in _lines(questions):
        for _ in range(48):
            os.write(2, b"." * (1 << 16))
        os.write(answers, line)


def floods_and_sleeps(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Print as much as a pipe holds for every question, and sleep, a hundred times."""
    for line in _lines(questions):
        for _ in range(100):
            os.write(2, b"." * (1 << 16))
            time.sleep(0.005)
        os.write(answers, line)


def last_words(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer once, then compute for ever; say so when interrupted."""

    def say(number: int, frame: object) -> None:
        os.write(2, b"it was here")
        os._exit(74)

    signal.signal(signal.SIGUSR1, say)
    os.write(answers, next(_lines(questions)))
    while True:
        pass


def deaf(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer once, then compute for ever, whatever signals come."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    os.write(answers, next(_lines(questions)))
    while True:
        pass


def closes_stdout(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Close the way of its answers and live on."""
    os.read(questions, 100)
    os.close(answers)
    signal.pause()


def closes_stdin(agent: str, artefact: str, questions: int, answers: int) -> None:
    os.close(questions)
    signal.pause()


def without_its_newline(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer in full, but for the newline."""
    os.write(answers, os.read(questions, 100).rstrip())
    signal.pause()


def exits(agent: str, artefact: str, questions: int, answers: int) -> None:
    """End with status 3 instead of an answer."""
    os.read(questions, 100)
    os.write(2, b"good-bye\n")
    os._exit(3)


def leaves_a_thread(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Close the way of its answers and end the first thread, but not the other one."""
    os.read(questions, 100)
    threading.Thread(target=_idle.wait, daemon=True).start()
    os.close(answers)
    ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)  # exit(2)


def never_reads(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer the first question and read no other."""
    os.write(answers, os.read(questions, 100))
    signal.pause()


def thinks_ahead(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer at once, then compute for 0.3 s before reading on."""
    for line in _lines(questions):
        os.write(answers, line)
        burn(0.3)


def as_asked(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Compute for as many milliseconds as the question says."""
    for line in _lines(questions):
        burn(int(line) / 1000)
        os.write(answers, line)


def hoards(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Ask for more memory than any limit of a test allows."""
    os.read(questions, 100)
    try:
        os.write(answers, b"%d\n" % len(bytearray(1 << 30)))
    except MemoryError:
        os._exit(71)


def descriptors(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer with the numbers of all open descriptors."""
    os.read(questions, 100)
    numbers = [number for number in range(1024) if _is_open(number)]
    os.write(answers, b"%b\n" % " ".join(map(str, numbers)).encode())


def artefact_of_build(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer with what the build step made."""
    os.read(questions, 100)
    with open(artefact, "rb") as file:  # noqa: PTH123
        os.write(answers, file.read() + b"\n")


def kills_its_parent(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Try to kill the supervisor with every signal, and report the results."""
    os.read(questions, 100)
    killed = 0
    for number in signal.valid_signals():
        for pid in (os.getppid(), -1):
            try:
                os.kill(pid, number)
                killed += 1
            except PermissionError:
                continue
    os.write(answers, b"%d\n" % killed)


def root(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say on which device the root directory is, and which user and group it is."""
    for _ in _lines(questions):
        device = os.stat("/").st_dev  # noqa: PTH116
        os.write(answers, b"%d %d %d\n" % (device, os.getuid(), os.getgid()))


def flags(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say the flags of standard input, and change them."""
    for _ in _lines(questions):
        before = fcntl.fcntl(0, fcntl.F_GETFL)
        fcntl.fcntl(0, fcntl.F_SETFL, before ^ os.O_NONBLOCK ^ os.O_APPEND)
        os.write(answers, b"%d\n" % before)


def library(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Import what is named; say where it was found."""
    for line in _lines(questions):
        module = importlib.import_module(line.decode().strip())
        os.write(answers, f"{module.__file__}\n".encode())


def whole_library(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Import every module that is named; name those that could not be, and why."""
    for line in _lines(questions):
        failed = {}
        for name in line.decode().split():
            try:
                importlib.import_module(name)
            except ImportError as error:
                failed[name] = error.name
        os.write(answers, f"{json.dumps(failed)}\n".encode())


def counting(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Answer with the process and how many games it has begun; say ``over`` to every ``end``."""
    games = 1
    for line in _lines(questions):
        if line == b"end\n":
            os.write(answers, b"over\n")
            games += 1
        else:
            os.write(answers, b"%d %d\n" % (os.getpid(), games))


def talkative(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say who it is and more, and then to every ``end`` nothing but what is due."""
    for line in _lines(questions):
        os.write(answers, b"over\n" if line == b"end\n" else b"%d\nover\n" % os.getpid())


def rude(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say who it is, and have the last word as well: two answers to every ``end``."""
    for line in _lines(questions):
        os.write(answers, b"over\nand more\n" if line == b"end\n" else b"%d\n" % os.getpid())


def leaving(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say who it is, say ``over`` to the ``end``, and go."""
    for line in _lines(questions):
        if line == b"end\n":
            os.write(answers, b"over\n")
            os._exit(3)
        os.write(answers, b"%d\n" % os.getpid())


_idle = threading.Event()


def start_thread(memory_mib: int, artefact: str) -> bool:
    """Start a thread, as a language's runtime does."""
    threading.Thread(target=_idle.wait, daemon=True).start()
    return False


def for_many_games(memory_mib: int, artefact: str) -> bool:
    """A runtime in which no agent can leave anything."""
    return True


def for_one_game(memory_mib: int, artefact: str) -> bool:
    """A runtime in which this agent could."""
    return False


def sees(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say which of the paths in a question exist."""
    for line in _lines(questions):
        found = [path for path in line.split() if os.path.lexists(path)]
        os.write(answers, b" ".join(found) + b"\n")


def threads(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say how many threads there are; start another one for the second question."""
    lines = _lines(questions)
    next(lines)
    os.write(answers, b"%d\n" % threading.active_count())
    next(lines)
    threading.stack_size(256 << 10)  # for a large one there may be no room, which comes first
    threading.Thread(target=_idle.wait, daemon=True).start()
    os.write(answers, b"started\n")


def build(agent: str, artefact: str, questions: int, answers: int) -> None:
    """A build step: its output is the names of the sources."""
    os.write(answers, " ".join(sorted(os.listdir(agent))).encode())  # noqa: PTH208


def endless_build(agent: str, artefact: str, questions: int, answers: int) -> None:
    """A build step that never ends."""
    while True:
        pass


def printing_build(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Has more to print than a pipe holds, before it answers."""
    os.write(2, b"." * (1 << 20))
    os.write(answers, b"built")


def large_build(agent: str, artefact: str, questions: int, answers: int) -> None:
    """A build step with ten mebibytes of output."""
    for _ in range(160):
        os.write(answers, b"x" * 65536)


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def _lines(questions: int) -> Iterator[bytes]:
    with os.fdopen(os.dup(questions), "rb") as lines:
        yield from lines
    sys.exit(0)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def attempts_at_work(agent: str, artefact: str, questions: int, answers: int) -> None:
    """A build step that starts a program, writes a file, and tries what even a builder forbids."""
    import json
    import socket
    import subprocess

    def write(path: str) -> None:
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(b"x")

    attempts = {
        "program": lambda: subprocess.run(["/usr/bin/as", "--version"], stdout=2, check=True),
        "scratch": lambda: write("/tmp/x"),  # noqa: S108
        "large file": lambda: [os.truncate("/tmp/x", n << 20) for n in (1, 40)],  # noqa: S108
        "own program": lambda: (os.chmod("/tmp/x", 0o755), os.execv("/tmp/x", ["x"])),  # noqa: PTH101, S103, S108, S606
        "root": lambda: write("/x"),
        "programs": lambda: write("/usr/bin/x"),
        "sources": lambda: write(f"{agent}/x"),
        "kernel": lambda: os.listdir("/proc/1"),  # noqa: PTH208
        "supervisor": lambda: os.listdir("/opt/firebox/sandbox"),  # noqa: PTH208
        "passwords": lambda: os.stat("/etc/passwd"),  # noqa: PTH116
        "internet": lambda: socket.socket(socket.AF_INET),
        "socket": lambda: socket.socket(socket.AF_UNIX),
        "signal": lambda: os.kill(1, 0),
    }
    told = {}
    for name, attempt in attempts.items():
        try:
            attempt()
            told[name] = "done"
        except OSError as error:
            told[name] = type(error).__name__
    os.write(answers, json.dumps(told).encode())


def multiplies(agent: str, artefact: str, questions: int, answers: int) -> None:
    """A build step that forks for ever and reports the number of its children."""
    count = 0
    try:
        while os.fork():
            count += 1
        time.sleep(60)
    except OSError:
        os.write(answers, b"%d" % count)


def where_it_lies(agent: str, artefact: str, questions: int, answers: int) -> None:
    """Say whether the artefact is on the root's device, and what it is."""
    os.read(questions, 100)
    own = os.stat(artefact).st_dev == os.stat("/").st_dev  # noqa: PTH116
    with open(artefact, "rb") as file:  # noqa: PTH123
        os.write(answers, b"%s %s\n" % (str(own).encode(), file.read()))

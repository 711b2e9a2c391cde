"""Processor time of other processes and of their containers, which the bench compares."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.clock import ProcessClock
from tests.bench.accounts import ContainerAccounts, children_of, process_seconds
from tests.sandbox.stage import container_sandbox

pytestmark = pytest.mark.slow

_BUSY = "import time; end = time.process_time() + {}\nwhile time.process_time() < end: pass\n"
_PARENT = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
print("over", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def parent() -> "Iterator[subprocess.Popen[bytes]]":
    """A process whose child has computed for 0.2 s and has ended."""
    command = [sys.executable, "-c", _PARENT, _BUSY.format(0.2)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.communicate()


def test_a_family_and_its_ended_children_count(parent: "subprocess.Popen[bytes]") -> None:
    assert children_of(parent.pid) == [parent.pid]
    assert parent.pid in children_of(os.getpid())
    assert 0.2 <= process_seconds([parent.pid]) < 2
    parent.communicate()
    assert process_seconds([parent.pid]) == 0


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_container_counts_while_it_is_open_and_afterwards(tmp_path: Path) -> None:
    accounts = ContainerAccounts()
    with container_sandbox("echo", tmp_path) as opened:
        supervisor = ProcessClock(opened.sandbox.supervisor_pid)
        used = accounts.look([os.getpid()])
        assert supervisor.read().ran / 1e9 > 0.02
        assert 0.02 < used < 30
        supervisor.close()
    assert accounts.look([os.getpid()]) >= used

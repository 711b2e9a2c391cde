"""The rights that a worker drops, seen from inside and from another process of the same user."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from grader.worker.hardening import NOT_FOR_GRADERS

ROOT: Final = Path(__file__).parents[3]
SOMEBODY: Final = 65_534
"""A user without rights: root may look into any process."""
SECRET: Final = re.compile(r"PASSWORD|SECRET|TOKEN|DSN|:change-me@|\"secret\"")
"""In the names and examples of settings that are secret."""
READ_SEARCH: Final = 1 << 2
"""CAP_DAC_READ_SEARCH."""

BECOMES_SOMEBODY: Final = f"""
import ctypes, json, os, resource, subprocess, sys
from pathlib import Path
from grader.worker.hardening import drop_privileges
libc = ctypes.CDLL(None, use_errno=True)
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({SOMEBODY})
    os.setuid({SOMEBODY})
libc.prctl(4, 1, 0, 0, 0)  # what changed its user may not be looked into: undo that
"""

SHEDS: Final = """
forgotten = drop_privileges()
descendant = os.fork()
if descendant == 0:
    os.read(int(sys.argv[1]), 1)
    os._exit(0)
status = dict(line.split(":\\t") for line in Path("/proc/self/status").read_text().splitlines())
print(json.dumps({
    "forgotten": forgotten,
    "environment": sorted(os.environ),
    "child": subprocess.run(["env"], capture_output=True, text=True).stdout,
    "umask": status["Umask"].strip(),
    "no_new_privs": status["NoNewPrivs"].strip(),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
    "stdin": os.readlink("/proc/self/fd/0"),
    "pids": [os.getpid(), descendant],
}), flush=True)
os.read(int(sys.argv[1]), 1)
"""

SHEDS_NOTHING: Final = """
print(json.dumps({"pids": [os.getpid()]}), flush=True)
os.read(int(sys.argv[1]), 1)
"""


@contextmanager
def process(code: str, **settings: str) -> Iterator[dict[str, Any]]:
    wait, go = os.pipe()
    program = subprocess.Popen(
        [sys.executable, "-c", BECOMES_SOMEBODY + code, str(wait)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **settings},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=[wait], cwd="/",
    )  # fmt: skip
    os.close(wait)
    try:
        assert program.stdout is not None
        yield json.loads(program.stdout.readline())
    finally:
        os.close(go)
        program.communicate()


@pytest.fixture(scope="module")
def dropped() -> Iterator[dict[str, Any]]:
    with process(SHEDS) as facts:
        yield facts


def test_a_hardened_process_leaves_nothing_to_others_and_gains_nothing(
    dropped: dict[str, Any],
) -> None:
    assert dropped["umask"] == "0077"
    assert dropped["no_new_privs"] == "1"
    assert dropped["core"] == [0, 0]
    assert dropped["stdin"] == "/dev/null"


def opening(file: str, pid: int) -> str:
    return f"open('/proc/{pid}/{file}', 'rb').read(1)"


def tracing(pid: int) -> str:
    return f"if libc.ptrace(0x4206, {pid}, 0, 0): raise OSError(ctypes.get_errno(), 'attach')"


def tried_by_somebody(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", BECOMES_SOMEBODY + code],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, cwd="/",
    )  # fmt: skip
    return run.stderr.strip().rpartition("\n")[2].partition(":")[0]


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, 1], ids=["itself", "child"])
def test_other_processes_of_its_user_cannot_read_or_trace_a_hardened_process_or_its_child(
    dropped: dict[str, Any], which: int
) -> None:
    pid = dropped["pids"][which]
    for code in (*(opening(file, pid) for file in ("mem", "environ", "maps")), tracing(pid)):
        assert tried_by_somebody(code) == "PermissionError"


@pytest.mark.slow
def test_a_process_that_keeps_its_rights_can_be_read_and_traced() -> None:
    """Else the tests above would show nothing."""
    with process(SHEDS_NOTHING) as facts:
        (pid,) = facts["pids"]
        assert tried_by_somebody(opening("environ", pid)) == ""
        assert tried_by_somebody(tracing(pid)) == ""


def test_one_of_roots_capabilities_is_kept_whatever_it_starts() -> None:
    code = (
        "import subprocess; from grader.worker.hardening import drop_privileges; "
        "drop_privileges(); "
        "subprocess.run(['grep', 'Cap', '/proc/self/status'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    sets = {name: int(value, 16) for name, value in map(split, run.stdout.splitlines())}
    if os.geteuid() == 0:
        assert set(sets.values()) <= {0, READ_SEARCH}
        assert sets["CapBnd"] == READ_SEARCH
    else:
        assert sets["CapEff"] == 0


def split(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value


def test_secrets_of_the_site_are_forgotten_and_not_handed_on() -> None:
    secrets = dict.fromkeys(NOT_FOR_GRADERS, "hunter2")
    with process(SHEDS, **secrets, FIREBOX_BROKER_URL="redis://broker") as facts:
        assert facts["forgotten"] == list(NOT_FOR_GRADERS)
        assert "FIREBOX_BROKER_URL" in facts["environment"]
        assert not set(NOT_FOR_GRADERS) & set(facts["environment"])
        assert "hunter2" not in facts["child"]


def test_every_secret_among_the_sites_settings_is_known() -> None:
    lines = (ROOT / "deploy" / "env.example").read_text(encoding="utf-8").splitlines()
    sites = lines[lines.index(next(line for line in lines if line.startswith("# --- Site only"))) :]
    settings = [line.lstrip("#").partition("=") for line in sites if line.lstrip("#")[:1].isupper()]
    secrets = {name for name, _, value in settings if SECRET.search(f"{name} {value}")}
    assert "FIREBOX_SECRET_KEY" in secrets
    assert secrets - {"FIREBOX_PASSWORD_SIGN_IN"} <= set(NOT_FOR_GRADERS)

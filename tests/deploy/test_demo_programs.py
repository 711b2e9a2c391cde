"""The files that ``make demo`` makes are its user's own, whatever the shell allows others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import free_port

pytestmark = pytest.mark.slow

DEV = Path(__file__).parents[2] / "deploy" / "dev"
QUICKLY = """
prepare_database() { sqlite3 "$FIREBOX_VAR_DIR/db.sqlite3" 'create table notes (text)'; }
admit_this_machine() { :; }
start_programs() { process start speaker -- sh -c 'echo hello; sleep 60'; }
site_answers() { grep hello "$FIREBOX_VAR_DIR/log/speaker.log"; }
main
"""
"""All that the script does, with programs that start at once."""


def run(script: str, commands: str, var: Path, **settings: str) -> None:
    """Run commands after the functions of a script, in a directory that others may enter so far."""
    var.mkdir(mode=0o755)
    subprocess.run(
        ["bash", "-c", f'umask 022; source <(head -n -1 "$0"); {commands}', DEV / script],
        check=True,
        env=os.environ | {"FIREBOX_VAR_DIR": str(var)} | settings,
    )


def stop(name: str, var: Path) -> None:
    command = [sys.executable, DEV / "process.py", "stop", name]
    subprocess.run(command, check=True, env=os.environ | {"FIREBOX_VAR_DIR": str(var)})


def files(var: Path) -> dict[str, bool]:
    paths = [var, *var.rglob("*")]
    return {path.relative_to(var).as_posix(): bool(path.stat().st_mode & 0o077) for path in paths}


def test_settings_database_and_logs_are_the_users_own(tmp_path: Path) -> None:
    var = tmp_path / "var"
    run("site.sh", QUICKLY, var)
    stop("speaker", var)
    assert files(var).keys() >= {"env", "db.sqlite3", "log/speaker.log"}
    assert not any(files(var).values()), files(var)


@pytest.mark.redis
def test_the_files_of_redis_are_the_users_own(tmp_path: Path) -> None:
    var = tmp_path / "var"
    run("services.sh", "start_redis", var, FIREBOX_REDIS_PORT=str(free_port()))
    stop("redis", var)
    assert any(name.startswith("redis/appendonlydir/") for name in files(var))
    assert not any(files(var).values()), files(var)

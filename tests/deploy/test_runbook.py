"""The runbook's commands do what it says, and are known with their options.

Other tests run nginx's, PostgreSQL's, those of graders and of courses, and the builds of images.
"""

import os
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis
from django.core.management import call_command, get_commands, load_command_class
from django.db import connection

from grader.broker.transport import broker_url
from tests.support import runbook
from tests.support.certificates import certify
from tests.support.processes import Program
from tests.support.redis_server import RedisServer
from webapp.base.celery import app
from webapp.grading.jobs import broker
from webapp.people.accounts.models import User

ROOT = Path(__file__).parents[2]
PASSWORDS = {"SITE_PASSWORD": "s1", "GRADER_PASSWORD": "g1", "RELOAD_PASSWORD": "r1"}


def test_every_command_of_the_site_in_the_runbook_exists_with_its_options() -> None:
    lines = runbook.commands("python -m webapp ")
    assert len(lines) > 10
    for line in lines:
        name, *arguments = shlex.split(line.partition(" > ")[0])[3:]
        load_command_class(get_commands()[name], name).create_parser("", name).parse_args(arguments)


def test_the_command_that_adds_a_grader_with_compose_exists_with_its_options() -> None:
    (line,) = (line for line in runbook.block("run --rm -T web") if "webapp add_grader" in line)
    _, _, command = line.partition(" > ")[0].partition("python -m webapp ")
    name, *arguments = shlex.split(command)
    parser = load_command_class(get_commands()[name], name).create_parser("", name)
    options = parser.parse_args(arguments)
    assert (options.name, options.acl) == ("lab-3", None)


def test_the_command_for_other_work_gives_its_group_fewer_shares(tmp_path: Path) -> None:
    """Where control groups are of version 1, in the real ones."""
    cpu = Path("/sys/fs/cgroup/cpu")
    if not (cpu / "cpu.shares").exists():
        cpu = tmp_path
    group = cpu / f"other-{os.getpid()}"
    command = "\n".join(runbook.block("cpu.shares")).replace("/sys/fs/cgroup/cpu/other", str(group))
    try:
        runbook.run(f"{command}\ncat {group}/cpu.shares | grep --line-regexp 128", tmp_path)
    finally:
        shutil.rmtree(group) if cpu == tmp_path else group.rmdir()


@pytest.fixture
def tls_port(tmp_path: Path) -> Iterator[int]:
    """A Redis that is set up as the runbook says; its port."""
    lines = runbook.block("tls-auth-clients")
    users, *_ = (line for line in lines if line.startswith("sed "))
    for name, password in PASSWORDS.items():
        users = users.replace(f"{name}/…", f"{name}/{password}")
    runbook.run(
        users.replace("/etc/redis", str(tmp_path)).replace("deploy/", f"{ROOT}/deploy/"), tmp_path
    )
    certify(tmp_path / "redis.crt", tmp_path / "redis.key")
    port = RedisServer(tmp_path).port
    start = lines.index("# /etc/redis/redis.conf")
    settings = "\n".join(lines[start + 1 :]).replace("6379", str(port))
    settings = settings.replace("/etc/redis/tls", str(tmp_path))
    (tmp_path / "redis.conf").write_text(settings.replace("/etc/redis", str(tmp_path)))
    command = ["redis-server", str(tmp_path / "redis.conf"), "--dir", str(tmp_path)]
    program = Program("redis", command, os.environ, tmp_path)
    program.start()
    try:
        program.await_log("Ready to accept connections")
        yield port
    finally:
        program.stop()


@pytest.mark.django_db
@pytest.mark.redis
def test_redis_speaks_tls_and_only_to_its_three_users(
    tls_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"127.0.0.1:{tls_port}/0"
    trusted = f"?ssl_ca_certs={tmp_path}/redis.crt"
    monkeypatch.setattr(app.conf, "broker_url", broker_url(f"rediss://site:s1@{address}{trusted}"))
    broker.send_task("webapp.prune")
    assert broker.waiting("background") == 1
    grader = redis.Redis.from_url(f"rediss://grader:g1@{address}{trusted}")
    with closing(grader):
        grader.lpush("site-x:results", "a report")
        with pytest.raises(redis.exceptions.NoPermissionError):
            grader.keys()
    for refused in (f"redis://site:s1@{address}", f"rediss://site:s1@{address}"):
        with closing(redis.Redis.from_url(refused)) as client, pytest.raises(redis.RedisError):
            client.ping()


@pytest.mark.redis
def test_users_that_are_taken_from_the_file_are_locked_out_when_it_is_loaded(
    tls_port: int, tmp_path: Path
) -> None:
    users = tmp_path / "users.acl"
    kept = [line for line in users.read_text().splitlines() if not line.startswith("user grader")]
    users.write_text("\n".join(kept) + "\n")
    address = f"rediss://grader:g1@127.0.0.1:{tls_port}/0?ssl_ca_certs={tmp_path}/redis.crt"
    with closing(redis.Redis.from_url(address)) as grader:
        grader.lpush("site-x:results", "a report")
        (load,) = (line for line in runbook.block("ACL LOAD") if line.startswith("redis-cli"))
        options = f"-h 127.0.0.1 -p {tls_port} --cacert {tmp_path}/redis.crt"
        command = load.replace("-h redis.example.edu", options).replace("--askpass", "--pass r1")
        runbook.run(command, tmp_path)
        with pytest.raises(
            (redis.exceptions.AuthenticationError, redis.exceptions.ConnectionError)
        ):
            grader.lpush("site-x:results", "another report")


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_sqlite_has_every_row_and_replaces_a_broken_file(tmp_path: Path) -> None:
    User.objects.create_user("ada@example.org", display_name="Ada")
    database = Path(str(connection.settings_dict["NAME"]))
    (command, _, *restore) = runbook.row("Back up and restore", "SQLite")
    copy = tmp_path / "copy.sqlite3"

    def in_place(command: str) -> str:
        here = command.replace("var/firebox.sqlite3", str(database))
        return here.replace("copy.sqlite3", str(copy))

    runbook.run(in_place(command), tmp_path)
    with closing(sqlite3.connect(copy)) as one, closing(sqlite3.connect(database)) as other:
        assert one.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert one.execute("SELECT email FROM accounts_user").fetchall() == [("ada@example.org",)]
        assert list(one.iterdump()) == list(other.iterdump())
    connection.close()
    for file in database.parent.glob(f"{database.name}*"):
        file.write_bytes(b"what a broken disk has left")
    for command in restore:
        runbook.run(in_place(command), tmp_path)
    call_command("migrate", "--check", verbosity=0)
    assert User.objects.get().email == "ada@example.org"
    User.objects.create_user("ben@example.org", display_name="Ben")

"""Adding a grader and taking it back: a login, a key, and a script that makes a machine join."""

import errno
import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.core.management import CommandError, call_command

from grader.broker.signing import Signer
from tests.support.redis_server import RedisServer
from webapp.base.celery import app
from webapp.grading.graders import logins
from webapp.grading.graders.acl_file import replace_text
from webapp.grading.graders.models import GraderKey

USERS = Path(__file__).parents[2] / "deploy" / "redis" / "users.acl"


def test_every_grader_may_do_what_the_shared_login_may() -> None:
    (line,) = (line for line in USERS.read_text().splitlines() if line.startswith("user grader "))
    assert line == f"user grader on >GRADER_PASSWORD {logins.RULES}"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    """A Redis with the users of a deployment, which is the site's broker."""
    users = USERS.read_text().replace("SITE_PASSWORD", "s").replace("RELOAD_PASSWORD", "r")
    with RedisServer(tmp_path, users).running() as server:
        monkeypatch.setattr(app.conf, "broker_url", f"redis://site:s@127.0.0.1:{server.port}/0")
        yield server


def load_users(server: RedisServer) -> None:
    with redis.Redis(port=server.port, username="reload", password="r") as client:
        client.acl_load()  # type: ignore[no-untyped-call]  # stubs


def add(server: RedisServer, directory: Path) -> str:
    said, key = io.StringIO(), directory / "store-key"
    key.write_text("AWS_ACCESS_KEY_ID=reader\n\nAWS_SECRET_ACCESS_KEY=a/+=b\n")
    call_command(
        "add_grader",
        "lab-3",
        f"--acl={directory / 'users.acl'}",
        f"--broker=redis://site:s@127.0.0.1:{server.port}/0",
        "--store=s3://bucket",
        f"--store-key={key}",
        stdout=said,
        stderr=io.StringIO(),
    )
    load_users(server)
    return said.getvalue()


def join(script: str, directory: Path) -> dict[str, str]:
    settings, key = directory / "etc" / "grader-env", directory / "lib" / "key"
    subprocess.run(["sh", "-s", settings, key], input=script, text=True, check=True)
    assert {path.stat().st_mode & 0o777 for path in (settings, key)} == {0o600}
    lines = (line.partition("=") for line in settings.read_text().splitlines())
    return {name: value.strip("'") for name, _, value in lines}


@pytest.mark.redis
@pytest.mark.django_db
def test_a_grader_that_was_added_reports_until_it_is_removed(
    server: RedisServer, tmp_path: Path
) -> None:
    settings = join(add(server, tmp_path), tmp_path)
    assert settings["FIREBOX_STORE_URL"] == "s3://bucket"
    assert settings["AWS_ACCESS_KEY_ID"] == "reader"
    assert settings["AWS_SECRET_ACCESS_KEY"] == "a/+=b"
    signer = Signer.from_file(Path(settings["FIREBOX_GRADER_KEY"]))
    assert GraderKey.objects.admitted().get(name="lab-3").public_key == signer.public_key
    with redis.Redis.from_url(settings["FIREBOX_BROKER_URL"]) as grader:
        grader.lpush("site-x:results", "a report")
        with pytest.raises(redis.exceptions.NoPermissionError):
            grader.keys()
        call_command(
            "remove_grader", "lab-3", f"--acl={tmp_path / 'users.acl'}", stdout=io.StringIO()
        )
        load_users(server)
        with pytest.raises(
            (redis.exceptions.AuthenticationError, redis.exceptions.ConnectionError)
        ):
            grader.lpush("site-x:results", "another report")
    assert not GraderKey.objects.exists()
    assert "lab-3" not in (tmp_path / "users.acl").read_text()


@pytest.mark.redis
@pytest.mark.django_db
def test_a_grader_cannot_be_added_under_a_name_in_use(server: RedisServer, tmp_path: Path) -> None:
    script = add(server, tmp_path)
    before = (tmp_path / "users.acl").read_text()
    with pytest.raises(CommandError, match="There is a grader lab-3 already"):
        add(server, tmp_path)
    GraderKey.objects.all().delete()
    with pytest.raises(CommandError, match="has a user grader-lab-3 already"):
        add(server, tmp_path)
    assert (tmp_path / "users.acl").read_text() == before
    assert not GraderKey.objects.exists()
    join(script, tmp_path)
    with pytest.raises(subprocess.CalledProcessError):
        join(script, tmp_path)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "Lab", "lab 3", "lab\n", "-lab", "l" * 41, "*"])
def test_a_name_that_no_file_could_hold_is_refused(name: str) -> None:
    for command in ("add_grader", "remove_grader"):
        with pytest.raises(CommandError, match="lower-case letters"):
            call_command(command, "--", name)


@pytest.mark.django_db
def test_an_unknown_grader_cannot_be_removed(tmp_path: Path) -> None:
    users = tmp_path / "users.acl"
    users.write_text("user site on\n")
    for options in ((), (f"--acl={users}",)):
        with pytest.raises(CommandError, match="There is no grader lab-4"):
            call_command("remove_grader", "lab-4", *options)


@pytest.mark.django_db
@pytest.mark.parametrize("lost", ["key", "line"])
def test_a_removal_that_was_interrupted_is_finished(tmp_path: Path, lost: str) -> None:
    users, told = tmp_path / "users.acl", io.StringIO()
    users.write_text("user site on\n")
    users.chmod(0o640)
    add = ("add_grader", "lab-7", f"--acl={users}")
    call_command(*add, stdout=io.StringIO(), stderr=io.StringIO())
    if lost == "key":
        GraderKey.objects.all().delete()
    else:
        users.write_text("user site on\n")
    call_command("remove_grader", "lab-7", f"--acl={users}", stdout=told)
    assert ("had no user" in told.getvalue()) == (lost == "line")
    assert users.read_text() == "user site on\n"
    assert not GraderKey.objects.exists()
    assert users.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["users.acl"]


@pytest.mark.django_db
def test_an_acl_file_that_cannot_be_written_is_left_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = tmp_path / "users.acl"
    users.write_text("user site on\n")

    def full(_: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CommandError, match="No space left"):
        call_command("add_grader", "lab-8", f"--acl={users}", stderr=io.StringIO())
    assert users.read_text() == "user site on\n"
    users.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="can't decode"):
        call_command("add_grader", "lab-8", f"--acl={users}", stderr=io.StringIO())
    assert not GraderKey.objects.exists()


@pytest.mark.django_db
def test_a_file_that_cannot_be_replaced_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where it is mounted into a container, or belongs to another user."""
    users = tmp_path / "users.acl"
    for call, number in (("os.chown", errno.EPERM), ("pathlib.Path.replace", errno.EBUSY)):
        users.write_text("user site on\n")

        def refuse(*_: object, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patch:
            patch.setattr(call, refuse)
            replace_text(users, lambda text: text + "user lab on\n")
        assert users.read_text() == "user site on\nuser lab on\n"
        assert list(tmp_path.iterdir()) == [users]


@pytest.mark.django_db
def test_a_grader_is_dismissed_though_the_file_cannot_be_changed(tmp_path: Path) -> None:
    call_command("add_grader", "lab-8", stdout=io.StringIO(), stderr=io.StringIO())
    told = io.StringIO()
    with pytest.raises(CommandError, match="No such file"):
        call_command("remove_grader", "lab-8", f"--acl={tmp_path / 'none'}", stdout=told)
    assert not GraderKey.objects.exists()
    assert "its reports are refused" in told.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "line", ["AWS_ACCESS_KEY_ID", "FIREBOX_CORES=0", "DATABASE_URL=x", "AWS_KEY=$(id)", "a b"]
)
def test_a_file_of_the_stores_key_holds_settings_of_the_store_alone(
    tmp_path: Path, line: str
) -> None:
    key = tmp_path / "store-key"
    key.write_text(f"AWS_ACCESS_KEY_ID=reader\n{line}\n")
    with pytest.raises(CommandError, match="lines such as AWS_ACCESS_KEY_ID"):
        call_command("add_grader", "lab-9", f"--store-key={key}", stderr=io.StringIO())
    assert not GraderKey.objects.exists()


@pytest.mark.django_db
def test_without_an_acl_file_the_message_has_the_line_to_add() -> None:
    told = io.StringIO()
    call_command("add_grader", "lab-5", stdout=io.StringIO(), stderr=told)
    assert "user grader-lab-5 on #" in told.getvalue()
    assert "PASSWORD" not in told.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("option", "words", "addresses"),
    [
        ("store", "An address holds", "s3://a'b s3://a\nFIREBOX_CORES=0 s3://$(id) s3://`id`"),
        (
            "broker",
            "such as rediss://",
            "redis.example.edu:6379/0 redis.example.edu https://h/0 redis:// r://[",
        ),
    ],
)
def test_an_address_that_a_shell_would_run_or_that_is_not_of_redis_is_refused(
    option: str, words: str, addresses: str
) -> None:
    """The grader would be admitted with a script that no machine can join by."""
    for address in addresses.split(" "):
        with pytest.raises(CommandError, match=words):
            call_command("add_grader", "lab-6", f"--{option}={address}", stderr=io.StringIO())
    assert not GraderKey.objects.exists()


def test_graders_get_the_rules_of_this_version(tmp_path: Path) -> None:
    before = "~graded resetchannels -@all +brpop (-@all +hget ~graders.unacked)"
    acl = tmp_path / "users.acl"
    lines = [
        "user default off",
        "user site on >s ~* -@all +@all",
        f"user grader on >g {before}",
        f"user grader-lab-3 on #{'0' * 64} {before}",
        "user reload on >r -@all +acl|load",
    ]
    acl.write_text("\n".join(lines))
    call_command("refresh_graders", acl=acl)
    after = acl.read_text().splitlines()
    assert after[:2] == lines[:2]
    assert after[2:4] == [
        f"user grader on >g {logins.RULES}",
        f"user grader-lab-3 on #{'0' * 64} {logins.RULES}",
    ]
    assert after[4] == lines[4]
    with pytest.raises(CommandError, match="No such file"):
        call_command("refresh_graders", acl=tmp_path / "none")

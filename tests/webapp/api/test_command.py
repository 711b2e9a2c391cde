"""``firebox login`` and ``firebox submit`` against the site, over HTTP."""

import io
import json
import os
import stat
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from grader.cli import main
from grader.uploads.archive import read_upload
from tests.support import world as worlds
from tests.support.world import SOURCE, World
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import create_token

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OK, FAULT, USAGE, HOST = range(4)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("APPDATA", "FIREBOX_TOKEN", "FIREBOX_SITE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(
        STATIC_ROOT=tmp_path_factory.mktemp("static"),
        STORAGES={**settings.STORAGES, "staticfiles": plain},
    ):
        server = LiveServer("localhost")
        yield server
        server.stop()


@pytest.fixture
def world(transactional_db: None) -> World:
    return worlds.make()


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_bytes(SOURCE)
    return path


def log_in(user: User, site: LiveServer, monkeypatch: pytest.MonkeyPatch) -> int:
    token = create_token(user=user, name="laptop", at=timezone.now())
    monkeypatch.setattr("sys.stdin", io.StringIO(token + "\n"))
    return main(["login", site.url])


@pytest.fixture
def signed_in_agent(
    world: World, site: LiveServer, monkeypatch: pytest.MonkeyPatch, agent: Path
) -> Path:
    """Ada's agent, where she has signed in."""
    log_in(world.ada, site, monkeypatch)
    return agent


def test_a_token_is_tried_and_kept_for_this_user_only(
    world: World,
    site: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert log_in(world.ada, site, monkeypatch) == OK
    assert world.ada.display_name in capsys.readouterr().out
    kept = tmp_path / "config" / "firebox" / "tokens.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(json.loads(kept.read_text())) == [site.url]
    assert main(["login", "--forget", site.url]) == OK
    assert json.loads(kept.read_text()) == {}


def test_the_token_is_sent_where_netrc_has_a_password_for_every_host(
    world: World, site: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login anonymous password ada@uni.example\n")
    monkeypatch.setenv("NETRC", str(netrc))
    assert log_in(world.ada, site, monkeypatch) == OK


def test_a_token_that_is_unknown_is_not_kept(
    world: World,
    site: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("firebox_guessed\n"))
    assert main(["login", site.url]) == USAGE
    assert "unknown, revoked or expired" in capsys.readouterr().err
    assert not (tmp_path / "config").exists()


def test_a_file_and_a_folder_can_be_submitted(
    signed_in_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = signed_in_agent.parent / "folder"
    folder.mkdir()
    (folder / "agent.py").write_bytes(SOURCE)
    assert main(["submit", str(signed_in_agent)]) == OK
    Submission.objects.update(uploaded_at=timezone.now() - timedelta(minutes=1))
    assert main(["submit", str(folder), "--assignment", "coop/hanabi"]) == OK
    first, second = Submission.objects.order_by("number")
    assert first.sha256 == second.sha256
    out = capsys.readouterr().out
    assert f"Submission 2: {settings.SITE_URL}/submissions/{second.pk}/" in out


def test_a_project_folder_is_submitted_without_what_no_agent_needs(
    signed_in_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = signed_in_agent.parent / "project"
    for name, mib in {".git/pack": 9, "build/a.bin": 5, ".venv/a": 4, "screen.png": 2}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(os.urandom(mib << 20))
    signed_in_agent.rename(project / "agent.py")
    assert main(["submit", str(project)]) == OK
    alone = read_upload("agent.py", SOURCE).archive()
    assert Submission.objects.get().sha256 == sha256(alone).hexdigest()
    folders, file = capsys.readouterr().err.splitlines()[-2:]
    assert folders.startswith(
        "Left out: '.git' (1 file, 9 MiB), 'build' (1 file, 5 MiB), '.venv' (1 file, 4 MiB); no"
    )
    assert file.startswith("Not used: 'screen.png' (2 MiB); no agent reads")
    (project / "games.csv").write_bytes(os.urandom(6 << 20))
    assert main(["submit", str(project)]) == USAGE
    assert "largest files: 'games.csv' (6,291,456 bytes), 'agent.py'" in capsys.readouterr().err


def test_a_refused_upload_is_reported_with_its_file(
    signed_in_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = signed_in_agent.with_name("agent.zip")
    broken.write_bytes(b"not a zip")
    assert main(["submit", str(broken)]) == FAULT
    err = capsys.readouterr().err
    assert "nothing was stored" in err
    assert "agent.zip: " in err


def test_an_assignment_that_is_not_ones_own_is_a_question(
    signed_in_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["submit", str(signed_in_agent), "--assignment", "coop/chess"]) == USAGE
    assert "yours are: coop/hanabi" in capsys.readouterr().err


def test_without_a_token_the_command_says_how_to_sign_in(
    agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["submit", str(agent)]) == USAGE
    assert "firebox login https://" in capsys.readouterr().err


def test_a_token_is_not_sent_unencrypted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["login", "http://firebox.example"]) == USAGE
    assert "use https" in capsys.readouterr().err


def test_a_site_that_does_not_answer_is_no_fault_of_the_agent(
    agent: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIREBOX_TOKEN", "firebox_x")
    assert main(["submit", str(agent), "--site", "http://127.0.0.1:1"]) == HOST
    assert "does not answer" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["https://[zz]", "http://[::1", "site:port", "https://s:99999"])
def test_an_address_that_is_none_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["login", address]) == USAGE
    assert f"{address!r} is not a site's address" in capsys.readouterr().err


@pytest.mark.parametrize("token", ["“firebox_x”", "firebox_\x07", "firebox_\udcff"])
def test_a_token_with_characters_that_none_has_is_refused(
    token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(token + "\n"))
    assert main(["login", "http://localhost"]) == USAGE
    assert "this is not an access token" in capsys.readouterr().err


def test_a_token_from_the_environment_may_end_with_a_line_break(
    world: World, site: LiveServer, monkeypatch: pytest.MonkeyPatch, agent: Path
) -> None:
    token = create_token(user=world.ada, name="laptop", at=timezone.now())
    monkeypatch.setenv("FIREBOX_TOKEN", f"{token}\n")
    assert main(["submit", str(agent), "--site", site.url]) == OK


@pytest.mark.parametrize("content", ["[]", "null", '"text"'])
def test_a_file_without_tokens_is_pointed_out(
    content: str, tmp_path: Path, agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "config" / "firebox" / "tokens.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(content)
    assert main(["submit", str(agent), "--site", "https://site"]) == USAGE
    assert f"there are no tokens in {kept}; delete it" in capsys.readouterr().err

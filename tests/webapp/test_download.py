"""The wheel that students install from the site."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from tests.support.pages import text_of
from webapp.base import wheel

NAME = "firebox-1.2.3-py3-none-any.whl"
PAGES_THAT_NAME_IT = ["start", "command"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def served(settings: Settings, tmp_path: Path) -> Path:
    """A wheel where the command puts it."""
    settings.DOWNLOAD_DIR = tmp_path
    path = tmp_path / NAME
    path.write_bytes(b"a wheel")
    return path


@pytest.fixture
def nothing_served(settings: Settings, tmp_path: Path) -> None:
    settings.DOWNLOAD_DIR = tmp_path / "none"


def test_visitors_may_download_the_wheel(served: Path) -> None:
    response = Client().get(f"/download/{NAME}")
    assert response.status_code == 200
    assert b"".join(response.streaming_content) == b"a wheel"  # type: ignore[attr-defined]
    assert response["Content-Disposition"] == f'attachment; filename="{NAME}"'


@pytest.mark.parametrize("name", ["firebox-1.2.2-py3-none-any.whl", "..%2Fsecret", "x"])
def test_no_other_file_can_be_downloaded(served: Path, name: str) -> None:
    (served.parent / "x").write_text("not a wheel")
    assert Client().get(f"/download/{name}").status_code == 404


@pytest.mark.parametrize("slug", PAGES_THAT_NAME_IT)
def test_the_guide_installs_from_this_site(served: Path, slug: str, settings: Settings) -> None:
    page = text_of(Client().get(f"/guide/{slug}/"))
    assert f"pip install {settings.SITE_URL}/download/{NAME}" in page


@pytest.mark.parametrize("slug", PAGES_THAT_NAME_IT)
def test_without_a_wheel_the_guide_says_what_works_instead(nothing_served: None, slug: str) -> None:
    page = text_of(Client().get(f"/guide/{slug}/"))
    assert "/download/" not in page
    assert "This site does not offer the command for download." in page
    assert "the starter kit has its own tests" in page


def test_instructors_read_whether_their_students_get_the_command(served: Path) -> None:
    assert "They install it from this site." in text_of(Client().get("/guide/instructors/"))
    served.unlink()
    assert "does not offer it for download" in text_of(Client().get("/guide/instructors/"))


def test_an_old_wheel_is_removed_if_no_new_one_can_be_built(
    served: Path, settings: Settings, tmp_path: Path
) -> None:
    settings.BASE_DIR = tmp_path
    with pytest.raises(CommandError, match="does not run from a checkout"):
        call_command("build_wheel")
    assert not any(tmp_path.iterdir())
    assert wheel.built() is None

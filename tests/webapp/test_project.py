"""The project as a whole: settings, checks, headers, commands, admin, migrations."""

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.contrib import admin
from django.core.management import call_command, load_command_class
from django.core.management.base import CommandError
from django.core.management.commands import makemigrations
from django.http import HttpRequest, HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from tests.support.depth import deeper
from tests.support.every import every
from tests.webapp.conftest import NOW
from webapp.base.middleware import content_security_policy
from webapp.base.spreadsheets import Cell, neutral, to_csv
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.runtime import checks
from webapp.runtime.management.commands.demo_course import is_loopback
from webapp.teaching.courses.models import Assignment

ROOT = Path(__file__).parents[2]

PRODUCTION = {
    "FIREBOX_SECRET_KEY": "Zm9yIHRlc3RzIG9ubHk-" * 3,
    "FIREBOX_SITE_URL": "https://firebox.uni.example",
    "FIREBOX_EMAIL_HOST": "mail.uni.example",
    "FIREBOX_PROXIES": "1",
}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with a fresh environment: settings are read once, when they are imported."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_a_production_environment_passes_all_checks(tmp_path: Path) -> None:
    result = python(
        *("-m", "webapp", "check", "--deploy", "--fail-level", "WARNING"),
        **PRODUCTION,
        FIREBOX_VAR_DIR=str(tmp_path),
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
def test_an_environment_that_is_not_set_up_is_told_what_is_missing(tmp_path: Path) -> None:
    result = python("-m", "webapp", "check", "--deploy", FIREBOX_VAR_DIR=str(tmp_path))
    assert result.returncode == 1
    for word in ("firebox.E001", "firebox.W001", "firebox.W002"):
        assert word in result.stderr


def test_new_migrations_can_be_read_by_the_sites_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def write(_: object, name: str) -> None:
        (tmp_path / name).touch()

    monkeypatch.setattr(makemigrations.Command, "write_migration_files", write)
    usual = os.umask(0o077)
    try:
        load_command_class("webapp.runtime", "makemigrations").write_migration_files("new")
        write(None, "another")
    finally:
        os.umask(usual)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("new", "another")]
    assert modes == [0o644, 0o600]


@pytest.mark.slow
def test_a_fresh_directory_is_enough_to_migrate(tmp_path: Path) -> None:
    """All other migrations have made the database of these tests: see `migrated_database`."""
    var = tmp_path / "not" / "there" / "yet"
    result = python(
        *("-m", "webapp", "migrate", *deeper(("contenttypes",), deep=()), "--verbosity", "0"),
        FIREBOX_VAR_DIR=str(var),
    )
    assert result.returncode == 0, result.stderr
    assert var.joinpath("firebox.sqlite3").stat().st_mode & 0o777 == 0o600
    assert var.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
@pytest.mark.parametrize("value", ["two", "1000001"])
def test_a_malformed_variable_stops_the_start(value: str) -> None:
    result = python("-c", "import webapp.settings", FIREBOX_MAX_GAMES=value)
    assert result.returncode != 0
    assert "FIREBOX_MAX_GAMES" in result.stderr


@pytest.mark.slow
def test_figures_are_computed_in_one_thread() -> None:
    threads = "import webapp.base.celery, numpy, os; print(len(os.listdir('/proc/self/task')))"
    assert python("-c", threads).stdout.split() == ["1"]


@pytest.mark.slow
def test_the_site_is_not_served_with_the_secret_of_the_source() -> None:
    result = python("-c", "import webapp.wsgi")
    assert "FIREBOX_SECRET_KEY" in result.stderr
    assert python("-c", "import webapp.wsgi", FIREBOX_SECRET_KEY="s" * 50).returncode == 0


@pytest.mark.slow
def test_cookies_are_secure_as_soon_as_the_site_is() -> None:
    code = "import webapp.settings as s; print(s.SESSION_COOKIE_SECURE, s.ALLOWED_HOSTS[0])"
    assert python("-c", code, **PRODUCTION).stdout == "True firebox.uni.example\n"
    assert python("-c", code).stdout == "False 127.0.0.1\n"


def test_a_lease_shorter_than_the_tick_is_warned_about(settings: Settings) -> None:
    assert checks.leases_outlast_ticks() == []
    settings.LEASE_SECONDS = settings.TICK_SECONDS
    (warning,) = checks.leases_outlast_ticks()
    assert warning.id == "firebox.W003"


def test_a_directory_that_cannot_be_made_is_an_error(settings: Settings, tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    settings.VAR_DIR = tmp_path / "file" / "var"
    (error,) = checks.var_is_writable()
    assert error.id == "firebox.E002"


def test_every_page_forbids_inline_scripts() -> None:
    response = content_security_policy(lambda _: HttpResponse())(HttpRequest())
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run", stdout=StringIO())


@pytest.mark.parametrize("url", ["https://firebox.uni.example", "http://192.0.2.7:8600"])
def test_a_real_site_gets_no_accounts_with_a_published_password(
    url: str, db: None, settings: Settings
) -> None:
    settings.SITE_URL = url
    with pytest.raises(CommandError, match="is a real site"):
        call_command("demo_course", "course.zip", stdout=StringIO())
    assert not User.objects.exists()


@pytest.mark.parametrize("url", ["http://localhost:8600", "http://[::1]:80", "http://127.0.0.9"])
def test_a_site_that_only_this_machine_reaches_may_have_the_demo(url: str) -> None:
    assert is_loopback(url)


def test_an_instructor_is_created_with_a_password_that_works(db: None) -> None:
    out = StringIO()
    call_command("create_instructor", "Ivy@uni.example", "Ivy", stdout=out)
    email, password = out.getvalue().split()
    user = User.objects.get(email=email)
    assert user.may_create_courses
    assert user.check_password(password)
    with pytest.raises(CommandError, match="already"):
        call_command("create_instructor", "ivy@uni.example", "Ivy")


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(admin.site._registry, key=str))
def test_operators_can_list_everything_in_the_admin(
    operator: Client, smoke: Evaluation, model: type
) -> None:
    meta = model._meta  # type: ignore[attr-defined]
    address = f"/admin/{meta.app_label}/{meta.model_name}/"
    assert operator.get(address).status_code == 200


def test_operators_look_at_submissions_and_change_none(
    operator: Client, submission: Submission
) -> None:
    address = f"/admin/submissions/submission/{submission.pk}/change/"
    page = operator.get(address)
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert operator.post(address, {"number": 9}).status_code == 403


def test_the_secret_is_not_in_the_admin(operator: Client, assignment: Assignment) -> None:
    page = operator.get(f"/admin/courses/assignment/{assignment.pk}/change/")
    assert assignment.commitment.encode() in page.content
    assert bytes(assignment.secret).hex().encode() not in page.content


def test_the_admin_has_the_sites_icon(operator: Client) -> None:
    assert b'<link rel="icon" href="/static/img/favicon.svg"' in operator.get("/admin/").content


def test_students_have_no_admin(client: Client, ida: User, ada: User) -> None:
    for user in (ida, ada):
        client.force_login(user)
        assert client.get("/admin/").status_code == 302


@every("text", ["=1", "+1", "-1", "@a", "\ta", "\ra", "  =1", "＝1", "＠a"])
def test_cells_that_might_calculate_are_neutralised(text: str) -> None:
    assert neutral(text) == f"'{text}"


@every(
    ("text", "shown"),
    [
        ("Ada;=1+1", "Ada;'=1+1"),
        ("Ada\t@SUM(A1)", "Ada\t'@SUM(A1)"),
        ("Ada\n-1;+2", "Ada\n'-1;'+2"),
        ("Ada; =1", "Ada;' =1"),
        ("Ada\r\n=1", "Ada\r\n'=1"),
        ("\t=1", "'\t'=1"),
        ("Ada - Lovelace; née Byron = 1", "Ada - Lovelace; née Byron = 1"),
        ("a\u202edcb\u2066", "adcb"),
        ("\u200b=1;\ufeff\u2060+1", "'=1;'+1"),
    ],
)
def test_a_cell_behind_a_separator_of_another_locale_is_neutralised(text: str, shown: str) -> None:
    assert neutral(text) == shown


@given(st.text(alphabet="=+-@;\t\r\n a\u200b"))
def test_no_separator_or_blank_leads_to_a_formula(text: str) -> None:
    cells = re.split(r"[;\t\r\n]", neutral(text))
    assert [cell for cell in cells if cell.lstrip()[:1] in set("=+-@")] == []


def test_csv_writes_numbers_times_and_nothing_as_they_are() -> None:
    rows: list[list[Cell]] = [["Amber Heron", -1.5, None, NOW]]
    assert to_csv(["a", "b", "c", "d"], rows) == (
        "\ufeffa,b,c,d\r\nAmber Heron,-1.5,,2026-03-10T12:00:00+00:00\r\n"
    )


def test_a_table_for_people_begins_with_a_byte_order_mark_and_its_parts_do_not() -> None:
    assert to_csv(["Student"], [["Zoë Müller"]]).encode()[:3] == b"\xef\xbb\xbf"
    assert to_csv(None, [["Zoë Müller"]]) == "Zoë Müller\r\n"

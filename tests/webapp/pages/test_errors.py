"""Error pages say what happened and what to do; headers; static rules of the style sheets."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory
from pytest_django import Settings

import webapp
from grader.core.games import GAMES, folder_of
from grader.interfaces import INTERFACES
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.pages import errors

pytestmark = pytest.mark.django_db

STATIC = Path(webapp.__file__).parent / "static"
TEMPLATES = [
    *(Path(webapp.__file__).parent / "templates").rglob("*.html"),
    *(path for each in INTERFACES.values() if (path := each.folder / "guide.html").exists()),
    *(path for game in GAMES.values() for path in folder_of(game).glob("*.html")),
]


def test_a_missing_page_offers_to_sign_in() -> None:
    response = Client().get("/no/such/page/")
    page = text_of(response)
    assert response.status_code == 404
    assert "/accounts/sign-in/?next=/no/such/page/" in page


def test_a_forbidden_page_says_who_may_open_it(world: World) -> None:
    page = text_of(signed_in(world.ada).get("/courses/coop/people/"))
    assert "Only this course&#x27;s staff may do that." in page


def test_a_form_without_its_token_is_explained(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.ada)
    response = client.post("/join/", {"invite_code": "X"})
    assert response.status_code == 403
    assert "That form was too old" in text_of(response)


def test_a_failure_of_ours_needs_no_database(
    rf: RequestFactory, django_assert_num_queries: Callable[..., object]
) -> None:
    response = errors.server_error(rf.get("/"))
    assert response.status_code == 500
    assert "It is not your fault" in text_of(response)


def test_a_malformed_request_is_explained(settings: Settings) -> None:
    response = Client(headers={"host": "evil.example"}).get("/")
    assert response.status_code == 400
    assert "could not be read" in text_of(response)


@pytest.mark.parametrize("address", ["/", "/guide/rules/", "/no/such/page/"])
def test_every_page_carries_the_strict_policy(address: str) -> None:
    policy = Client().get(address)["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_colours_are_named_in_the_tokens_file_only() -> None:
    for sheet in STATIC.glob("css/*.css"):
        colours = re.findall(r"#[0-9a-fA-F]{3,8}\b", sheet.read_text())
        assert not colours or sheet.name == "tokens.css", sheet.name


def test_no_template_has_inline_script_style_or_foreign_addresses() -> None:
    for template in TEMPLATES:
        text = template.read_text()
        assert not re.search(r"\sstyle=|\son\w+=|<style", text), template
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), template
        assert "https://" not in text, template


def test_nothing_but_our_own_help_is_shown_unescaped() -> None:
    shown = {
        value
        for template in TEMPLATES
        for value in re.findall(r"{{ ([^}]*?)\|[^}]*safe[^}]*}}", template.read_text())
    }
    assert shown <= {"field.help_text", "text"}


def test_every_form_that_changes_something_carries_its_token() -> None:
    """But two that are sent from a learning platform's frame, where the site has no cookies: what
    they carry is signed."""
    forms = [
        (template, form)
        for template in TEMPLATES
        for form in re.findall(
            r'<form\s[^>]*method="post".*?</form>', template.read_text(), re.DOTALL
        )
    ]
    assert len(forms) > 30
    without = {template.name for template, form in forms if "{% csrf_token %}" not in form}
    assert without == {"deep_link.html", "deep_link_done.html"}


def test_every_table_has_a_caption_and_scoped_headers() -> None:
    for template in TEMPLATES:
        text = template.read_text()
        assert len(re.findall(r"<table|{% table ", text)) == text.count("<caption"), template
        assert not re.search(r"<th(?![^>]*scope=)[\s>]", text), template


def test_every_page_has_a_title_of_its_own() -> None:
    """The frames that other pages extend have none."""
    extends = re.compile(r'{% extends "(base|narrow)\.html" %}')
    pages = {each for each in TEMPLATES if extends.search(each.read_text())}
    untitled = {each.name for each in pages if "{% block title %}" not in each.read_text()}
    assert untitled == {"narrow.html", "page.html"}


def test_every_script_is_small() -> None:
    for script in STATIC.glob("js/*.js"):
        assert len(script.read_text().splitlines()) <= 60, script


ACE = "1cb11ced60f868430f501c4a7e7f3140b85440012596cdb7d6e5c8d99b464601"
"""Digest of the editor's files, as ``static/ace/README.md`` says where they are from."""


def test_the_editor_component_is_as_it_was_published() -> None:
    digest = sha256()
    for file in sorted((STATIC / "ace").iterdir()):
        if file.name != "README.md":
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    assert digest.hexdigest() == ACE


def locked(*_: object) -> None:
    raise OperationalError("database is locked")


def test_a_locked_database_asks_to_try_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.pages.home.my_courses", locked)
    response = signed_in(world.ada).get("/")
    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert "Please try again" in text_of(response)
    assert "first check whether it was received" in text_of(response)


def test_a_database_locked_outside_of_a_view_asks_to_try_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webapp.pages.errors._page_above", locked)
    client = Client(raise_request_exception=False)
    assert client.get("/accounts/sign-out/").status_code == 503

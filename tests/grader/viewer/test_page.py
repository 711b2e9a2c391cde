"""A game as one file: whole, asking for nothing from elsewhere, in the site's own colours."""

import hashlib
import json
import re
from base64 import b64encode
from pathlib import Path

import pytest

import webapp
from grader.core.games import game_from_options
from grader.core.records import Printed, Record
from grader.results.replay import render
from grader.viewer import Seat, elsewhere, viewed
from grader.viewer.files import SHARED, scripts, static_folders, styles
from grader.viewer.page import data_json, standalone
from tests.grader.viewer.test_data import a_record

TOKENS = Path(webapp.__file__).parent / "static" / "css" / "tokens.css"
TOKEN = re.compile(r"^\s*(--[\w-]+): (.+);", re.MULTILINE)
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")


@pytest.fixture
def record() -> Record:
    return a_record(game_from_options("hanabi", {}))


@pytest.fixture
def page(record: Record) -> str:
    data = viewed(record, seats=[Seat(name="Ada <3"), Seat(name="Ben")])
    return standalone(data, title="Game 3 & more", text=render(record), offered=elsewhere(record))


def test_the_page_holds_the_game_its_text_and_the_link_to_the_other_site(
    page: str, record: Record
) -> None:
    (data,) = re.findall(r"data-viewer-game>(.*?)</script>", page)
    assert json.loads(data)["seats"][0]["name"] == "Ada <3"
    assert "<title>Game 3 &amp; more</title>" in page
    assert record.deal_seed in page
    assert 'href="https://hanab.live/shared-replay-json/2' in page


def test_the_page_loads_nothing_from_elsewhere(page: str) -> None:
    assert re.findall(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=", page) == []
    assert "@import" not in page
    assert "url(http" not in page


def test_the_pages_policy_allows_its_own_script_and_style_and_nothing_else(page: str) -> None:
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)[0]
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy == (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'"
    )


def hashed(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def test_output_cannot_end_the_script_element(record: Record) -> None:
    hostile = "</script><script>alert(1)</script><!-- &amp;"
    printed = [Printed(turn=0, seat=0, text=hostile)]
    data = viewed(record, seats=[Seat(name="")] * 2, printed=printed)
    text = data_json(data)
    assert "<" not in text
    assert json.loads(text)["printed"][0][2] == hostile


def test_the_pages_colours_are_the_sites_and_stand_in_their_own_files_only() -> None:
    site = dict(TOKEN.findall(TOKENS.read_text()))
    own = dict(TOKEN.findall((SHARED / "alone.css").read_text()))
    assert len(own) > 25
    assert own == {name: site[name] for name in own}
    for _, folder in static_folders():
        for path in folder.glob("*.css"):
            if path.name not in {"colours.css", "alone.css"}:
                assert HEX.findall(path.read_text()) == [], path


@pytest.mark.parametrize("game", ["hanabi", "hearts"])
def test_every_name_that_styles_use_is_defined_for_a_file_of_its_own(game: str) -> None:
    text = "".join(path.read_text() for _, path in styles(game))
    code = "".join(path.read_text() for _, path in scripts(game))
    alone = (SHARED / "alone.css").read_text()
    defined = set(re.findall(r"(--[\w-]+):", text + alone)) | set(re.findall(r'"(--[\w-]+)"', code))
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert used - defined == set()


@pytest.mark.parametrize("game", ["hanabi", "hearts"])
def test_scripts_set_no_inline_style_and_hold_no_markup(game: str) -> None:
    for _, path in scripts(game):
        text = path.read_text()
        assert "innerHTML" not in text, path
        assert 'setAttribute("style"' not in text, path
        assert len(text.splitlines()) <= 400, path

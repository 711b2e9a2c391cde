"""The viewer on pages of games: its data, its readers, and the page without scripts."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from grader.core.games import GAMES
from grader.viewer.files import play_styles, styles
from tests.support import opponents
from tests.support import tournaments as cups
from tests.support import world as worlds
from tests.support.pages import read, signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation

DATA = re.compile(r"<script type=\"application/json\" data-viewer-game>(.*?)</script>", re.DOTALL)


SHARED_CLASSES = {
    *("actions", "button", "crumbs", "eyebrow", "facts", "frame", "lede", "n", "row", "soft"),
    "masthead",
}
"""Classes of the site that the viewer uses as they are. On low screens it makes the masthead of its
own pages lower."""


@pytest.fixture
def practice(db: None) -> Evaluation:
    """Ada's, of which the second game ended with a fault."""
    copy_of(worlds.make_practised, faults=(1,))
    return Evaluation.objects.get(kind="practice")


def address(evaluation: Evaluation, index: int) -> str:
    return f"/evaluations/{evaluation.uuid}/games/{index}/"


def data_of(page: str) -> Any:
    (found,) = DATA.findall(page)
    return json.loads(found)


def test_a_game_is_sent_to_the_viewer_and_as_text(practice: Evaluation) -> None:
    client = signed_in(practice.submission.uploaded_by)
    page = read(client, address(practice, 0))
    data = data_of(page)
    result = practice.results.get(index=0)
    assert len(data["turns"]) == result.turns
    assert data["scores"] == [result.score] * 2
    assert data["seats"] == [{"name": practice.agent_name, "own": True}] * 2
    assert data["printed"] == []
    assert '<details id="text" open>' in page
    assert 'aria-label="Replay"' in page
    compressed = client.get(address(practice, 0), headers={"accept-encoding": "gzip"})
    assert compressed["Content-Encoding"] == "gzip"
    assert len(compressed.content) < 20_000
    assert data_of(gzip.decompress(compressed.content).decode())["game"] == "hanabi"
    names = re.findall(r'(?:src|href)="/static/(viewer/[^"]+)"', page)
    assert len(names) == 11
    assert "viewer/hanabi/draw.js" in names
    assert all(finders.find(name) for name in names)
    assert re.findall(r"<script(?![^>]*src=)(?![^>]*application/json)", page) == [], "inline"
    assert "<style" not in page
    assert " style=" not in page


def test_the_sites_styles_do_not_reach_into_the_viewer() -> None:
    templates = Path("webapp/templates")
    head = "".join(
        (templates / name).read_text() for name in ("base.html", "components/styles.html")
    )
    sheets = re.findall(r"'(css/[\w-]+\.css)' %}\">", head)
    assert "css/components.css" in sheets
    site = {name for sheet in sheets for name in first_classes(_text_of(sheet))}
    own = {
        name
        for game in GAMES
        for _, path in (*styles(game), *play_styles(game))
        for name in re.findall(r"\.([a-z][\w-]*)", _selectors_of(path.read_text()))
    }
    assert site & own <= SHARED_CLASSES


def first_classes(css: str) -> Iterator[str]:
    outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", _selectors_of(css)))
    for selector in outside.split(","):
        if found := re.match(r"\s*\.([a-z][\w-]*)(::?[\w-]+)?\s*$", selector):
            yield found[1]


def _text_of(sheet: str) -> str:
    return Path(str(finders.find(sheet))).read_text()


def _selectors_of(css: str) -> str:
    bare = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return ",".join(re.findall(r"([^{}@;]+)\{", bare))


def test_kept_output_of_a_practice_game_is_sent_by_turn(world: World) -> None:
    submission = worlds.submit_and_practise(world, world.ada, prints={0, 4})
    practice = submission.evaluations.get(kind="practice")
    for reader in (world.ada, world.ida):
        page = read(signed_in(reader), address(practice, 4))
        printed = data_of(page)["printed"]
        assert printed[3] == [3, 1, "thinking about turn 3 <script>\n"]
        assert "turn 3 <script>" not in page
    assert data_of(read(signed_in(world.ada), address(practice, 1)))["printed"] == []
    games = read(signed_in(world.ada), f"/evaluations/{practice.uuid}/games/?show=prints")
    assert "1 to 2 of 2" in games


@pytest.mark.slow
def test_a_game_against_others_says_which_seat_is_ones_own(db: None) -> None:
    table = copy_of(opponents.tell, games=4)
    page = read(signed_in(table.world.ada), address(table.grade, 5))
    seats = data_of(page)["seats"]
    assert [seat["own"] for seat in seats] == [False, True, False, False]
    assert seats[0]["name"] == "Carla"
    assert "viewer/hearts/draw.js" in page


@pytest.mark.slow
def test_other_teams_are_not_sent_why_a_game_of_a_tournament_was_spoiled(db: None) -> None:
    cup = copy_of(cups.tell, rounds=4)
    pages = {name: (user, page) for name, user, page in cup.pages()}
    user, page = pages["staff-tournament-game-spoiled"]
    told = data_of(read(signed_in(user), page))
    assert told["printed"]
    for name, (reader, address) in pages.items():
        if address == page and reader != user:
            untold = data_of(read(signed_in(reader), address))
            shown = json.dumps(untold)
            culprit = "What it printed" in read(signed_in(reader), address)
            assert bool(untold["printed"]) is culprit, name
            assert ("only its team and staff see" in shown.lower()) is not culprit


# On another site


def test_a_game_is_kept_for_another_site_and_its_output_cannot_leave_its_element(
    practice: Evaluation,
) -> None:
    client = signed_in(practice.submission.uploaded_by)
    page = read(client, address(practice, 0))
    assert 'href="https://hanab.live/shared-replay-json/' in page
    response = client.get(address(practice, 0) + "elsewhere/")
    assert response["Content-Disposition"].endswith('"game-0-hanab.live.json"')
    file = json.loads(response.content)
    assert len(file["deck"]) == 50
    assert file["players"] == ["Alice", "Bob"]
    assert "Ada" not in text_of(response)
    page = read(signed_in(practice.submission.uploaded_by), address(practice, 1))
    ((turn, seat, text),) = data_of(page)["printed"]
    fault = practice.results.get(index=1)
    assert (turn, seat) == (fault.fault_turn, fault.fault_seat)
    assert "<script>alert(1)</script>" in text
    assert "<script>alert(1)" not in page
    practice.results.filter(index=2).update(packed=b"", ending="stopped")
    page = read(client, address(practice, 2))
    assert "Not played" in page
    assert "data-viewer-game" not in page
    assert "/static/viewer/" not in page


def test_a_game_of_rules_that_the_other_site_does_not_have_says_so(db: None) -> None:
    world = worlds.make(options={"variant": "cs221", "players": 3})
    submission = worlds.submit_and_practise(world, world.ada)
    evaluation = submission.evaluations.get(kind="practice")
    client = signed_in(world.ada)
    page = read(client, address(evaluation, 0))
    assert "hanab.live cannot show this game: hanab.live has no game with 7 hint tokens." in page
    assert "https://hanab.live" not in page
    assert client.get(address(evaluation, 0) + "elsewhere/").status_code == 404


def test_a_secret_deal_is_not_offered_to_another_site(world: World, ada_graded: Evaluation) -> None:
    assert "hanab.live" not in read(signed_in(world.ida), address(ada_graded, 0))
    assert signed_in(world.ada).get(address(ada_graded, 0) + "elsewhere/").status_code == 403


@pytest.mark.course
def test_a_game_without_such_a_site_has_no_file(db: None) -> None:
    world = copy_of(opponents.make, games=4)
    submission = worlds.submit_and_practise(
        world, world.ada, agent="hearts/low_card", data=opponents.SOURCE
    )
    evaluation = submission.evaluations.get(kind="practice")
    assert signed_in(world.ada).get(address(evaluation, 0) + "elsewhere/").status_code == 404


def test_a_record_of_other_rules_is_not_shown_but_can_be_kept(
    practice: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(practice.submission.uploaded_by)
    monkeypatch.setattr(GAMES["hanabi"], "rules_version", 2)
    page = read(client, address(practice, 0))
    assert "This game cannot be shown: played by version 1 of the rules of hanabi" in page
    assert f'href="{address(practice, 0)}record/">Download the record' in page
    assert client.get(address(practice, 0) + "elsewhere/").status_code == 404
    assert "data-viewer-game" not in page

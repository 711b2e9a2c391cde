"""``firebox compare``: exports of two agents, deal by deal."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, Record, to_json
from grader.results.evaluation import EvaluationSpec, game_setup
from grader.results.export import export_evaluation
from tests.grader.cli.conftest import Firebox
from tests.grader.played import SECRET, export, faulted_record, random_record, result

GAMES = 40


def better(record: Record, points: int) -> Record:
    """As if it had scored more; nobody replays it here."""
    return replace(record, scores=tuple(score + points for score in record.scores))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.json"
    path.write_text(to_json(replace(export([random_record(i) for i in range(GAMES)]), title="v6")))
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """Three points better on three deals of four, and a crash on one."""
    records = [better(random_record(i), 3 if i % 4 else 0) for i in range(GAMES)]
    records[5] = faulted_record(5)
    path = tmp_path / "new.json"
    path.write_text(to_json(replace(export(records), title="v7")))
    return path


def test_the_difference_is_shown_with_its_interval(firebox: Firebox, old: Path, new: Path) -> None:
    run = firebox("compare", new, old, "--half-width", 0.5)
    assert run.status == 0
    assert run.out.startswith("v7 is +")
    assert "over v6 on 40 common deals: better." in run.out
    assert "29 higher, 0 lower, 11 equal" in run.out
    assert "sign test p = 3.73e-09" in run.out
    assert "± 0.5" in run.out
    answer = firebox("compare", new, old, "--json").json
    assert answer["comparison"]["better"] is True
    assert answer["comparison"]["difference"]["n"] == GAMES
    assert answer["games_to_detect"] > 1
    assert answer["games_for_half_width"] is None


def test_against_opponents_deals_are_counted_of_several_games_each(
    firebox: Firebox, tmp_path: Path
) -> None:
    rules = game_from_options("hearts", {"players": 2})
    spec = EvaluationSpec(
        game="hearts",
        options=dict(rules.options),
        limits=AgentLimits(),
        seating=(0, 1),
        n_games=8,
        opponents=("easy",),
    )
    records = [random_record(i, name="hearts") for i in range(4)]
    agents = [AgentRef(interface="python", sha256=digit * 64) for digit in "01"]
    for name, points in (("new", 3), ("old", 0)):
        results = []
        for index in range(8):
            deal, seating = game_setup(spec, index)
            record = better(records[deal], points * (index % 3))
            results.append(replace(result(index, record), seating=seating))
        made = export_evaluation(
            spec, title=name, secret=SECRET, reveal_secret=True, agents=agents, results=results
        )
        (tmp_path / name).write_text(to_json(made))
    run = firebox("compare", tmp_path / "new", tmp_path / "old", "--half-width", 2)
    assert "on 4 common deals" in run.out
    assert re.search(r"to detect \d+ common deals show such a difference", run.out)
    assert re.search(r"± 2\.0     \d+ common deals", run.out)


def test_only_common_deals_of_the_same_rules_are_compared(
    firebox: Firebox, old: Path, tmp_path: Path
) -> None:
    same = firebox("compare", old, old)
    assert same.status == 0
    assert "v6 and v6 scored the same on 40 common deals." in same.out
    other = tmp_path / "other.json"
    other.write_text(to_json(export([random_record(i) for i in range(GAMES - 10)])))
    assert "left out  10 deals" in firebox("compare", other, old).out
    made = export([random_record(0)])
    spec = replace(made.spec, options={"variant": "gcc", "players": 2})
    other.write_text(to_json(replace(made, spec=spec)))
    run = firebox("compare", old, other)
    assert run.status == 2
    assert "different rules" in run.err
    assert "must be more than 0" in firebox("compare", old, old, "--half-width", 0).err


@pytest.mark.parametrize("width", ["0.0001", "1e-200", "5e-324"])
def test_a_tiny_half_width_takes_more_than_a_million_deals(
    firebox: Firebox, old: Path, new: Path, width: str
) -> None:
    run = firebox("compare", new, old, "--half-width", width)
    assert run.status == 0
    assert "more than a million deals" in run.out


@pytest.mark.parametrize("scores", [(), (18,)])
def test_a_game_without_its_scores_is_pointed_out(
    firebox: Firebox, old: Path, tmp_path: Path, scores: tuple[int, ...]
) -> None:
    made = export([random_record(0)])
    bare = replace(made.results[0], record=replace(made.results[0].record, scores=scores))
    path = tmp_path / "bare.json"
    path.write_text(to_json(replace(made, results=(bare,))))
    run = firebox("compare", old, path)
    assert run.status == 2
    assert "game 0 has no score for seat 0; `firebox verify` says what is wrong" in run.err

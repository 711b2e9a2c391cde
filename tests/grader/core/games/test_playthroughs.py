"""Golden playthroughs: a changed record needs a raised ``rules_version``, and shows in the diff."""

import pytest

from grader.core.games import GAMES
from tests.playthroughs import regenerate
from tests.support.every import every

PLAYTHROUGHS = dict(regenerate.playthroughs())
HOW = "if the change is meant, run python tests/playthroughs/regenerate.py"


@every("name", PLAYTHROUGHS)
def test_a_game_is_played_as_in_its_golden_playthrough(name):
    golden = (regenerate.DIRECTORY / name).read_text()
    assert regenerate.rules_only(PLAYTHROUGHS[name]) == regenerate.rules_only(golden), HOW


@every("name", PLAYTHROUGHS)
def test_a_game_is_described_as_in_its_golden_playthrough(name):
    assert (regenerate.DIRECTORY / name).read_text() == PLAYTHROUGHS[name], HOW


def test_every_variant_of_every_game_has_its_playthrough_and_there_are_no_others():
    expected = {
        f"{name}-{variant}.txt" for name, kind in GAMES.items() for variant in kind.variants()
    }
    assert {path.name for path in regenerate.DIRECTORY.glob("*.txt")} == expected


@pytest.fixture
def one_golden(tmp_path, monkeypatch):
    monkeypatch.setattr(regenerate, "DIRECTORY", tmp_path)
    name, text = next(iter(PLAYTHROUGHS.items()))
    monkeypatch.setattr(regenerate, "playthroughs", lambda: [(name, text)])
    return tmp_path / name, text


def test_a_playthrough_whose_texts_changed_is_written_again(one_golden):
    path, text = one_golden
    path.write_text(text.replace("# turn", "# Turn"))
    assert regenerate.main() == 0
    assert path.read_text() == text


def test_a_changed_record_of_the_same_rules_version_is_not_written(one_golden, capsys):
    path, text = one_golden
    other = text.replace("end ", "finish ")
    path.write_text(other)
    assert regenerate.main() == 1
    assert path.read_text() == other
    assert "raise rules_version first" in capsys.readouterr().out


def test_a_changed_record_of_another_rules_version_is_written(one_golden):
    path, text = one_golden
    path.write_text(text.replace("end ", "finish ").replace("rules_version 1", "rules_version 0"))
    assert regenerate.main() == 0
    assert path.read_text() == text

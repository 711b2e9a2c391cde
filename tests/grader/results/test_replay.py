"""Replays prove records, and render them for people."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.errors import RecordError
from grader.core.games import GAMES
from grader.core.records import Fault, FaultKind, Record
from grader.core.words import printable
from grader.results.replay import game_of, render, replay, steps
from tests.grader.played import faulted_record, random_record
from tests.support.every import every

WHOLE = random_record()
FAULTED = faulted_record()


@every("variant", ["standard", "gcc", "uwa", "ensta", "cs221"])
def test_honest_records_of_every_variant_replay(variant: str) -> None:
    for index in range(5):
        record = random_record(index, variant=variant)
        assert replay(record).scores() == record.scores


def test_a_faulted_record_replays_to_the_turn_of_the_fault_or_its_start() -> None:
    assert replay(FAULTED).turn == 5
    fault = Fault(seat=1, kind=FaultKind.CRASH, turn=-1, detail="ended while starting")
    record = replace(FAULTED, actions="", charged_us=(), fault=fault)
    assert replay(record).turn == 0


def test_steps_tell_the_game_in_words_and_figures() -> None:
    first = steps(WHOLE)[0]
    assert (first.turn, first.seat) == (0, 0)
    assert first.words.startswith("seat 1 ")
    assert {"hint_tokens", "lives", "deck", "score"} <= set(first.figures)


def contradiction(record: Record) -> str:
    with pytest.raises(RecordError) as caught:
        replay(record)
    return str(caught.value)


def test_a_contradiction_is_found_with_its_place() -> None:
    actions = WHOLE.actions.split()
    record = replace(WHOLE, actions=" ".join([actions[0], "d9", *actions[2:]]))
    assert "d9" in contradiction(record)
    assert contradiction(replace(WHOLE, actions="d0", charged_us=(1,))) == (
        "turn 0: seat 0 cannot do d0: a discard is illegal while all 8 hint tokens are there"
    )
    record = replace(WHOLE, actions=WHOLE.actions + " p0", charged_us=(*WHOLE.charged_us, 1))
    assert "was over" in contradiction(record)
    record = replace(
        WHOLE, actions=WHOLE.actions.rpartition(" ")[0], charged_us=WHOLE.charged_us[:-1]
    )
    assert "the game is not over" in contradiction(record)
    record = replace(WHOLE, charged_us=(-1, *WHOLE.charged_us[1:]))
    assert "negative" in contradiction(record)
    assert "a faulted game scores (0, 0)" in contradiction(replace(FAULTED, scores=(3, 3)))
    assert "its ending is strikes" in contradiction(replace(FAULTED, ending="strikes"))


def said(check: Callable[[Record], object], record: Record) -> str:
    try:
        check(record)
    except RecordError as error:
        return str(error)
    return ""


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 20), st.randoms(use_true_random=False))
def test_replays_and_steps_find_the_same_contradiction(
    game: str, index: int, rng: random.Random
) -> None:
    """Replays check their actions all at once, and look for the wrong one only if there is one."""
    record = random_record(index, name=game, players=GAMES[game].default_players)
    actions = record.actions.split()
    place = rng.randrange(len(actions))
    actions[place : place + rng.choice((0, 1))] = [rng.choice([*actions, "p9", "é"])]
    changed = replace(record, actions=" ".join(actions), charged_us=(1,) * len(actions))
    assert said(replay, changed) == said(steps, changed)


@every(
    ("change", "complaint"),
    [
        ({"scores": (25, 25)}, "the scores are"),
        ({"ending": "perfect"}, "the game ended by"),
        ({"charged_us": (1, 2)}, "2 times are recorded"),
        ({"rules_version": 99}, "version 99 of the rules"),
        ({"game": "chess"}, "unknown game"),
        ({"options": {"variant": "standard", "players": 2}}, "spell out every option"),
        ({"options": {"variant": "standard", "players": 9}}, "not playable"),
        ({"deal_seed": "xyz"}, "64 lower-case hexadecimal digits"),
        ({"actions": "p0  p1"}, "is written ''"),
    ],
)
def test_other_contradictions_are_found(change: dict[str, object], complaint: str) -> None:
    assert complaint in contradiction(replace(WHOLE, **change))  # type: ignore[arg-type]  # by name


def test_the_version_of_the_rules_is_compared_once_a_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    class Version:
        def __get__(self, *_: object) -> int:
            read.append(WHOLE.rules_version)
            return WHOLE.rules_version

    monkeypatch.setattr("grader.results.replay._rules", {})
    monkeypatch.setattr(GAMES[WHOLE.game], "rules_version", Version())
    game_of(WHOLE)
    assert len(read) == 1
    game_of(WHOLE)  # of rules that are kept
    assert len(read) == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"turn": 4}, "in turn 4, but turn 5 was next"),
        ({"turn": -1}, "in turn -1, but turn 5 was next"),
        ({"seat": 0}, "is seat 0's, but seat 1 was next"),
    ],
)
def test_a_misplaced_fault_is_found(change: dict[str, object], complaint: str) -> None:
    assert FAULTED.fault is not None
    fault = replace(FAULTED.fault, **change)  # type: ignore[arg-type]  # by name
    charged = FAULTED.charged_us if fault.turn >= 0 else FAULTED.charged_us[:-1]
    assert complaint in contradiction(replace(FAULTED, fault=fault, charged_us=charged))


def test_the_text_has_options_turns_end_and_table() -> None:
    text = render(WHOLE)
    assert "hint_tokens=8" in text
    assert sum(" seat " in line for line in text.splitlines()) >= len(WHOLE.actions.split())
    assert f"Ended by {WHOLE.ending.replace('_', ' ')} after" in text
    assert replay(WHOLE).text().rstrip() in text


def test_the_text_fits_a_terminal() -> None:
    assert max(len(line) for line in render(random_record(3, players=5)).splitlines()) <= 110


def test_the_text_marks_the_fault_also_one_while_starting() -> None:
    text = render(FAULTED)
    assert "*** FAULT timeout of seat 2 in turn 5, 1310.000 ms charged ***" in text
    assert "1.31 s were charged" in text
    fault = Fault(seat=1, kind=FaultKind.CRASH, turn=-1, detail="ended while starting")
    text = render(replace(FAULTED, actions="", charged_us=(), fault=fault))
    assert "*** FAULT crash of seat 2 while starting ***" in text


def test_the_text_up_to_a_turn_shows_the_table_there_and_no_end() -> None:
    text = render(WHOLE, upto=2)
    assert "Ended" not in text
    assert text.rstrip().endswith(replay_upto(2))


def replay_upto(turns: int) -> str:
    actions = " ".join(WHOLE.actions.split()[:turns])
    fault = Fault(seat=0, kind=FaultKind.IDLE, turn=turns, detail="")
    charged = WHOLE.charged_us[: turns + 1]
    partial = replace(WHOLE, actions=actions, charged_us=charged, fault=fault, scores=(0, 0))
    return replay(replace(partial, ending="fault")).text().rstrip()


def test_text_of_an_agent_is_printable_and_cannot_control_the_terminal() -> None:
    assert FAULTED.fault is not None
    nasty = replace(FAULTED.fault, detail="\x1b[2J\x9b\u202eevil\x00\r")
    assert "\\x1b[2J\\x9b\\u202eevil\\x00\\r" in render(replace(FAULTED, fault=nasty))
    assert printable("größe\n\t✓") == "größe\n\t✓"

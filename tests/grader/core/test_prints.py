"""Output of agents by turn: cleaned, bounded, and refused where it is not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.errors import RecordError
from grader.core.prints import MAX_CHARACTERS, apart, bounded, check_prints, with_prints
from grader.core.records import GamePrints, GameResult, Printed, Record
from tests.support.every import every

RECORD = Record(
    game="hanabi",
    rules_version=1,
    options={},
    deal_seed="0" * 64,
    actions="p0 d1",
    charged_us=(1, 2),
    ending="strikes",
    fault=None,
    scores=(3, 3),
)
RESULT = GameResult(
    index=4, record=RECORD, wall_ms=1.0, max_charged_us=(2, 2), peak_memory_kib=(9, 9)
)


def printed(text: str, turn: int = 0, seat: int = 0) -> Printed:
    return Printed(turn=turn, seat=seat, text=text)


def test_output_is_escaped_and_keeps_its_end_with_a_mark_where_it_was_cut() -> None:
    output = (printed("a\n"), printed("b\n", turn=1))
    assert bounded(output) == output
    (only,) = bounded([printed("\x1b[2J\x00 \u202e\tend\n")])
    assert only.text == "\\x1b[2J\\x00 \\u202e\tend\n"
    first, last = bounded([printed("x" * 100), printed("y" * MAX_CHARACTERS, turn=1)])[0], 1
    assert (first.turn, first.text[:4], first.text[-1]) == (last, "[… e", "y")
    (only,) = bounded([printed("x")], is_cut=True)
    assert only.text == "[… earlier output is not kept …]\nx"


@given(st.lists(st.text(max_size=80), max_size=3), st.integers(40, 90))
def test_kept_output_is_never_longer_than_its_bound(texts: list[str], most: int) -> None:
    kept = bounded([printed(text) for text in texts], is_cut=True, characters=most)
    assert sum(len(each.text) for each in kept) <= most
    assert all(each.text for each in kept)


def test_a_result_and_its_output_come_apart_again_with_every_turn() -> None:
    output = (printed("a"),)
    together = with_prints(RESULT, output)
    assert apart(together) == (RESULT, output)
    assert type(apart(together)[0]) is GameResult
    assert apart(RESULT) == (RESULT, ())
    output = (printed("load", -1), printed("a", 0), printed("b", 1), printed("fault", 2, seat=1))
    check_prints(GamePrints(index=4, printed=output), RECORD)


@every(
    "wrong",
    [
        printed("x" * (MAX_CHARACTERS + 1)),
        printed(""),
        printed("x", turn=3),
        printed("x", turn=-2),
        printed("x", seat=2),
        printed("x", seat=-1),
    ],
)
def test_output_that_no_grader_sends_is_refused(wrong: Printed) -> None:
    with pytest.raises(RecordError, match="game 4: "):
        check_prints(GamePrints(index=4, printed=(wrong,)), replace(RECORD))

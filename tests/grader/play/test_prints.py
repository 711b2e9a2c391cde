"""Attribution of output to turns."""

import os
from collections.abc import Callable, Iterator

import pytest

from grader.core.prints import MAX_CHARACTERS
from grader.core.referee import Turn, TurnKind
from grader.play.prints import TurnMarks, printed_by
from sandbox.exits import StderrDrain

Write = Callable[[str], None]


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe2(os.O_NONBLOCK)
    yield read, write
    os.close(read)
    os.close(write)


@pytest.fixture
def drain(pipe: tuple[int, int]) -> StderrDrain:
    return StderrDrain(pipe[0], 64 << 10)


@pytest.fixture
def write(pipe: tuple[int, int], drain: StderrDrain) -> Write:
    def write_and_drain(text: str) -> None:
        os.write(pipe[1], text.encode())
        drain.drain()

    return write_and_drain


def turn(number: int, seat: int = 0, kind: TurnKind = TurnKind.ACT) -> Turn:
    return Turn(seat, kind, number, {})


START, END = turn(-1, kind=TurnKind.START), turn(4, kind=TurnKind.END)


def test_each_turn_has_its_own_output(drain: StderrDrain, write: Write) -> None:
    marks = TurnMarks(drain)
    for told, said in ((START, "hello\n"), (turn(0), "a\n"), (turn(2), ""), (turn(3), "b\n")):
        marks.begin(told)
        write(said or "")
    marks.begin(END)
    write("bye\n")
    assert [(each.turn, each.text) for each in printed_by([marks])] == [
        (-1, "hello\n"),
        (0, "a\n"),
        (3, "b\n"),
        (3, "bye\n"),
    ]


def test_output_at_the_end_of_a_faulted_game_belongs_to_the_turn_of_the_fault(
    drain: StderrDrain, write: Write
) -> None:
    marks = TurnMarks(drain)
    for told, said in ((START, "hello\n"), (turn(4), "a\n"), (END, "bye\n")):
        marks.begin(told)
        write(said)
    assert [(each.turn, each.text) for each in printed_by([marks])] == [
        (-1, "hello\n"),
        (4, "a\n"),
        (4, "bye\n"),
    ]


def test_seats_that_share_a_process_are_told_apart(drain: StderrDrain, write: Write) -> None:
    marks = TurnMarks(drain)
    for number, seat in ((0, 0), (1, 1)):
        marks.begin(turn(number, seat))
        write(f"seat {seat}")
    assert [(each.seat, each.text) for each in marks.printed()] == [(0, "seat 0"), (1, "seat 1")]


def test_of_a_process_that_prints_without_end_the_last_output_is_kept(
    drain: StderrDrain, write: Write
) -> None:
    marks = TurnMarks(drain)
    for number in range(10):
        marks.begin(turn(number))
        write(f"{number}" * 40_000)
    kept = printed_by([marks])
    assert {each.turn for each in kept} == {9}
    assert sum(len(each.text) for each in kept) <= MAX_CHARACTERS
    assert kept[0].text.startswith("[… earlier output is not kept …]\n9")


def test_a_process_that_prints_nothing_has_no_output(drain: StderrDrain) -> None:
    marks = TurnMarks(drain)
    for told in (START, turn(0), END):
        marks.begin(told)
    assert printed_by([marks]) == ()

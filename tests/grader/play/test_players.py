"""A player behind pipes: its requests to its process, which a script replaces."""

import pytest

from grader.core.referee import Reply, Turn, TurnKind
from grader.play.players import ProcessPlayer, _end_of
from sandbox.exits import Exit, ExitKind, StderrDrain


class ScriptedProcess:
    """Takes 300 ms for each turn, beside what was charged before."""

    def __init__(self) -> None:
        self.printed = StderrDrain(-1, 1024)
        self.charged_us = 0

        self.finished: list[bytes | None] = []

    def finish(self, final_message: bytes | None, *, dump_stack: bool) -> None:
        self.finished.append(final_message)

    def ask(self, message: bytes, *, start: bool, before_us: int) -> bytes:
        self.charged_us = before_us + 300_000
        return b'{"type":"action","turn":%d,"action":{}}' % message.count(b"!")


def turn(number: int, *, continued: bool) -> Turn:
    return Turn(0, TurnKind.ACT, number, {"text": "!" * number}, continued)


def test_the_clock_of_a_turn_that_continues_runs_on_and_each_reply_has_its_own_share() -> None:
    player = ProcessPlayer(ScriptedProcess(), memory_mib=64)
    turns = [(1, False), (2, True), (3, True), (4, False)]
    replies = [player.take(turn(number, continued=goes_on)) for number, goes_on in turns]
    assert replies == [Reply({}, 300_000)] * 4
    assert player.max_charged_us == 900_000


@pytest.mark.parametrize(
    ("before", "told"), [([TurnKind.START, TurnKind.ACT], [b"{}\n"]), ([], [None])]
)
def test_only_a_seat_that_was_started_is_told_of_the_end(
    before: list[TurnKind], told: list[bytes | None]
) -> None:
    process = ScriptedProcess()
    player = ProcessPlayer(process, memory_mib=64)
    for kind in (*before, TurnKind.END):
        player.take(Turn(0, kind, 0, {}))
    assert process.finished == told


@pytest.mark.parametrize(
    ("printed", "is_told"),
    [
        ("\tat java.base/java.util.Scanner.nextLine\nNoSuchElementException: No line found", True),
        ("\tat java.base/java.util.List.of\nNoSuchElementException", False),
    ],
)
def test_an_agent_in_java_that_reads_the_keyboard_is_told(printed: str, *, is_told: bool) -> None:
    printed = printed.replace("NoSuch", "java.util.NoSuch")
    end = Exit(
        kind=ExitKind.FAILED, status=70, peak_memory_kib=0, user_us=0, system_us=0, stderr=printed
    )
    _, detail = _end_of(end, 64, closed="")
    assert ("nobody can type here" in detail) is is_told

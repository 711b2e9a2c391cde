"""Agents in Haskell in real sandboxes: they compile and play, and errors are reported."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from grader.core.games import game_from_options
from grader.core.records import BuildReport, FaultKind, GameResult, Record
from grader.play.batch import Batch, open_batch
from grader.uploads.archive import SourceFile, Sources, read_archive
from tests.grader.interfaces.fit2102.uploads import (
    AGENTS,
    choosing,
    deals_of,
    folder,
    player,
    request_for,
)
from tests.grader.interfaces.outcomes import fault_of, games_of, only, refusal_of
from tests.support.archives import archive
from tests.support.deeds import Deeds, open_deeds
from tests.support.depth import deeper
from tests.support.slots import confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

SLOT: Final = confined()


@contextmanager
def opened(upload: bytes, games: int = 1, **options: object) -> Iterator[Batch]:
    with open_batch(request_for(range(games), **options), [upload], SLOT) as batch:
        yield batch


def played(upload: bytes, games: int = 1, **options: object) -> list[GameResult]:
    with opened(upload, games, **options) as batch:
        return games_of(batch)


def refused(upload: bytes) -> BuildReport:
    with opened(upload) as batch:
        return refusal_of(batch)


def test_a_game_to_a_hundred_points_is_played_to_its_end() -> None:
    (result,) = played(folder("lowest"), hands=0)
    assert result.record.fault is None
    assert max(result.record.scores) >= 100


def lowest_legal(record: Record) -> str:
    """The moves of the agent that always plays the first legal card, on the same deal."""
    game = game_from_options("hearts", record.options)
    state = game.deal(bytes.fromhex(record.deal_seed))
    moves = []
    while state.seat_to_act is not None:
        action = state.legal_actions()[0]
        moves.append(game.notate(action))
        state.apply(action)
    return " ".join(moves)


@pytest.mark.parametrize("players", [2, 4])
def test_the_first_legal_card_is_the_same_in_haskell_and_here(players: int) -> None:
    games = deeper(8, deep=50)
    results = played(folder("lowest"), games, players=players, hands=4)
    assert [one.record.fault for one in results] == [None] * games
    for result in results:
        assert result.record.actions == lowest_legal(result.record)


def test_memory_is_what_was_returned_and_nothing_at_the_start_of_every_hand() -> None:
    checked = """case before of
    Nothing | length hand == 13 -> usual
    Just (_, old) | take 1 old `elem` ["b", "-"], length hand < 13 -> usual
    _ -> error "told something else\""""
    (result,) = played(player(checked), hands=3)
    assert result.record.fault is None


THROWN: Final = {
    'error "lost my cards"': "lost my cards",
    "(head (filter (> Card Heart Ace) hand), [])": "Prelude.head: empty list",
    "let f 1 = usual in f (length hand)": "Non-exhaustive patterns in function f",
    "(fst usual, error (show (1 `div` length (drop 99 hand))))": "divide by zero",
    "(fst usual, 'a' : undefined)": "Prelude.undefined",
    "undefined": "Prelude.undefined",
}
FAILING_MESSAGE: Final = 'error ("begun " ++ undefined)'
SHOWN_HAND: Final = "error (show hand)"
LOOP: Final = "if spin (2 * length hand) > 3 then usual else usual"
ENDLESS_MEMORY: Final = "(fst usual, show (length [1 :: Int ..]))"
LONGEST: Final = """(fst usual, take 65536 (memory ++ cycle "xyz"))"""
TOO_LONG: Final = tuple(
    f"(fst usual, {text})"
    for text in ('take 65537 (cycle "xyz")', "take 32769 (repeat '\\955')", "repeat 'x'")
)
ILLEGAL: Final = '(Card Spade Two, "")'
PRINTED: Final = "unsafePerformIO (print hand) `seq` trace me usual"
KEPT: Final = "(fst usual, show (sum kept, length kept))"
DEEP: Final = "(fst usual, show (deep 100000000))"
ANSWERS: Final = (
    *THROWN, FAILING_MESSAGE, SHOWN_HAND, LOOP, ENDLESS_MEMORY, LONGEST, *TOO_LONG, ILLEGAL,
    PRINTED, KEPT, DEEP,
)  # fmt: skip
"""What one agent answers, each in a deal of its own."""
SPIN: Final = "spin n = if even n then spin (n + 2) else n"
TOP: Final = f"""
import System.IO.Unsafe
import Debug.Trace
spin :: Int -> Int
{SPIN}
kept :: [Integer]
kept = [1 .. 100000000]
deep :: Integer -> Integer
deep n = if n == 0 then 0 else 1 + deep (n - 1)
"""


@contextmanager
def answering(turn_seconds: float, memory_mib: int = 256) -> Iterator[Deeds]:
    request = request_for([0], turn_seconds=turn_seconds, memory_mib=memory_mib)
    upload = choosing(ANSWERS, top=TOP)
    with open_deeds(request, upload, deals_of(ANSWERS), SLOT) as opened:
        yield opened


@pytest.fixture(scope="module")
def answers(docker_engine: object) -> Iterator[Deeds]:
    with answering(1.0) as opened:
        yield opened


@pytest.fixture(scope="module")
def slow_answers(docker_engine: object) -> Iterator[Deeds]:
    with answering(20.0, memory_mib=96) as opened:
        yield opened


@pytest.mark.parametrize("answer", THROWN)
def test_an_exception_is_reported_with_its_place(answer: str, answers: Deeds) -> None:
    fault, stderr = fault_of(answers.play(answer))
    assert fault.kind == FaultKind.CRASH
    assert THROWN[answer] in fault.detail or THROWN[answer] in stderr
    assert "Player.hs:" in stderr


def test_an_exception_whose_message_fails_is_one_anyway(answers: Deeds) -> None:
    fault, stderr = fault_of(answers.play(FAILING_MESSAGE))
    assert fault.kind == FaultKind.CRASH
    assert "begun" in stderr


def test_a_loop_is_reported_with_its_place(answers: Deeds) -> None:
    fault, stderr = fault_of(answers.play(LOOP))
    (file,) = read_archive(choosing(ANSWERS, top=TOP)).files
    line = 1 + file.data.decode().splitlines().index(SPIN)
    assert fault.kind == FaultKind.TIMEOUT
    assert "turn 0, in playCard" in stderr
    assert f"Player.hs:{line}" in stderr


def test_memory_is_computed_within_the_turn(answers: Deeds) -> None:
    fault, _ = fault_of(answers.play(ENDLESS_MEMORY))
    assert fault.kind in {FaultKind.TIMEOUT, FaultKind.MEMORY}


def test_a_memory_of_64_kib_is_allowed(answers: Deeds) -> None:
    assert answers.play(LONGEST).record.fault is None


@pytest.mark.parametrize("answer", TOO_LONG)
def test_a_memory_of_more_than_64_kib_is_refused(answer: str, answers: Deeds) -> None:
    fault, stderr = fault_of(answers.play(answer))
    assert fault.kind == FaultKind.CRASH
    assert "longer than 64 KiB" in stderr


def test_exhausted_memory_is_a_memory_fault(slow_answers: Deeds) -> None:
    fault, stderr = fault_of(slow_answers.play(KEPT))
    assert fault.kind == FaultKind.MEMORY, fault
    assert "ran out of memory during turn 0, in playCard" in stderr


def test_a_stack_overflow_is_a_crash_that_says_so(slow_answers: Deeds) -> None:
    fault, _ = fault_of(slow_answers.play(DEEP))
    assert fault.kind == FaultKind.CRASH
    assert "stack overflow" in fault.detail


def test_a_card_that_may_not_be_played_is_illegal(answers: Deeds) -> None:
    fault, _ = fault_of(answers.play(ILLEGAL))
    assert fault.kind == FaultKind.ILLEGAL


def test_printed_output_does_not_disturb_the_protocol(answers: Deeds) -> None:
    assert answers.play(PRINTED).record.fault is None


def test_hands_come_in_no_order_but_always_in_the_same(answers: Deeds) -> None:
    first, again = (fault_of(answers.play(SHOWN_HAND))[0].detail for _ in range(2))
    assert first == again


def test_an_error_in_the_sources_has_its_file_line_and_column_and_is_said_once() -> None:
    report = refused(archive({"Player.hs": "module Player where\nimport Cards\nplayCard = x\n"}))
    message = only(report)
    assert (message.file, message.line, message.column) == ("Player.hs", 3, 12)
    assert "Variable not in scope: x" in message.text
    assert report.log.strip() == ""


def test_a_type_error_is_reported_with_what_was_expected() -> None:
    message = only(refused(player("(length hand, memory)")))
    assert message.file == "Player.hs"
    assert "Couldn't match" in message.text


def test_an_upload_without_the_module_is_refused() -> None:
    message = only(refused(archive({"Agent.hs": "module Agent where\n"})))
    assert "there is no Player.hs" in message.text


def test_the_modules_file_may_be_spelt_otherwise() -> None:
    message = only(refused(archive({"src/player.hs": "module Agent where\n"})))
    assert (message.file, message.line) == ("Player.hs", 1)
    assert message.text.startswith("the module is called Agent")


def test_a_broken_module_that_nothing_imports_is_left_out_with_a_note() -> None:
    scratch = {
        "Broken.hs": "module Broken where\nbroken = (\n",
        "Spliced.hs": "{-# LANGUAGE TemplateHaskell #-}\nmodule Spliced where\n",
    }
    with opened(player(**scratch)) as batch:
        assert batch.playable, batch.builds
        spliced, broken = batch.builds[0].messages
    assert spliced.file == "Spliced.hs"
    assert spliced.text.startswith("not used: the extension TemplateHaskell cannot be used here")
    assert broken.file == "Broken.hs"
    assert broken.text == "not used: no module that plays imports it"


def test_a_broken_module_that_is_imported_is_refused() -> None:
    spliced = {"Spliced.hs": "{-# LANGUAGE TemplateHaskell #-}\nmodule Spliced where\n"}
    (complaint,) = refused(player(top="import Spliced", **spliced)).messages
    assert complaint.text.startswith("the extension TemplateHaskell cannot be used here")


CIRCLE: Final = {
    "Even.hs": "module Even where\nimport {-# SOURCE #-} Règles.Odd (isOdd)\n"
    "isEven :: Int -> Bool\nisEven 0 = True\nisEven n = isOdd (n - 1)\n",
    "Règles/Odd.hs": "module Règles.Odd where\nimport Even\n"
    "import {-# SOURCE #-} Player (playCard)\n"
    "isOdd :: Int -> Bool\nisOdd n = playCard `seq` n /= 0 && isEven (n - 1)\n",
    "Règles/Odd.hs-boot": "module Règles.Odd where\nisOdd :: Int -> Bool\n",
    "player.hs-boot": "module Player where\nimport Hearts.Types\nplayCard :: PlayFunc\n",
}
"""Modules that import each other, one with an accent in its name, and the one that plays."""


def test_modules_may_import_each_other_and_the_player() -> None:
    files = CIRCLE | {"Old.hs-boot": "module Old where\n"}
    answer = "if isEven (length hand) then usual else usual"
    with opened(player(answer, top="import Even", **files)) as batch:
        (result,) = games_of(batch)
        note = only(batch.builds[0])
    assert result.record.fault is None
    assert (note.file, note.text) == ("Old.hs-boot", "not used: no module that plays imports it")


def test_modules_in_a_circle_are_told_how_to_import_each_other() -> None:
    files = {
        "Even.hs": "module Even where\nimport Odd\n",
        "Odd.hs": "module Odd where\nimport Even\n",
    }
    complaint = only(refused(player(top="import Even", **files)))
    assert complaint.text.startswith("Module imports form a cycle: module")
    assert "{-# SOURCE #-} and a .hs-boot file" in complaint.text


def test_comments_may_be_in_another_code_than_utf_8_and_the_rest_may_not() -> None:
    """As for the compiler, which does not look at them. Nor at capitals of the file's ending."""
    text = b"-- caf\xe9 \xc0\xbb\n{- \xe9 {- \xff -} -}\n" + read_archive(player()).files[0].data
    (result,) = played(Sources((SourceFile("src/Player.HS", text),)).archive())
    assert result.record.fault is None
    text += b'name :: String\nname = "caf\xe9"\n'
    complaint = only(refused(Sources((SourceFile("Player.hs", text),)).archive()))
    assert complaint.text.startswith("this is not UTF-8")


def test_an_error_in_a_boot_file_is_reported_with_its_line() -> None:
    files = CIRCLE | {"Règles/Odd.hs-boot": "module Règles.Odd where\nisOdd :: Int -> Boool\n"}
    complaint = only(refused(player(top="import Even", **files)))
    assert (complaint.file, complaint.line) == ("Règles/Odd.hs-boot", 2)
    assert "Boool" in complaint.text


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (
            "-- module Player\n{- {- a -}\nb -}\nmodule Agent (playCard) where\n",
            4,
            "is called Agent",
        ),
        ("import Cards\nplayCard = undefined\n", 0, "does not say which module it is"),
    ],
)
def test_a_module_whose_name_differs_from_its_file_is_refused_with_advice(
    text: str, line: int, why: str
) -> None:
    (complaint,) = refused(archive({"Player.hs": text})).messages
    assert (complaint.file, complaint.line) == ("Player.hs", line)
    assert why in complaint.text
    assert complaint.text.endswith("write: module Player (playCard, makeBid) where")


def test_a_player_in_the_courses_folder_plays_as_alone_without_the_courses_modules() -> None:
    files = {
        "project/src/Player.hs": (AGENTS / "lowest" / "Player.hs").read_text(),
        "project/src/Cards.hs": "this is not what is compiled",
        "project/app/Main.hs": "nor this",
    }
    with opened(archive(files)) as batch:
        assert batch.playable
        assert [message.file for message in batch.builds[0].messages] == ["Cards.hs"]
        (whole,) = games_of(batch)
    (alone,) = played(folder("lowest"))
    assert whole.record.fault is None
    assert whole.record.actions == alone.record.actions


def test_modules_called_like_a_librarys_are_for_the_agent_alone() -> None:
    own = (
        "{-# LANGUAGE PackageImports #-}\n"
        "module MODULE (module P, NAME) where\n"
        'import "base" Prelude as P\n\nNAME :: Int\nNAME = 7\n'
    )
    names = {
        "Data.List": "ofLists", "Control.Exception": "ofExceptions", "System.IO": "ofFiles",
        "Prelude": "ofPrelude",
    }  # fmt: skip
    files = {
        f"{module.replace('.', '/')}.hs": own.replace("MODULE", module).replace("NAME", name)
        for module, name in names.items()
    }
    top = "\n".join(["import Prelude", *(f"import qualified {module}" for module in names)])
    right = " && ".join(f"{module}.{name} == 7" for module, name in names.items())
    upload = player(f"if {right} then usual else undefined", top=top, **files)
    with opened(upload) as batch:
        assert batch.playable, batch.builds[0].messages
        assert [result.record.fault for result in batch.games()] == [None]


@pytest.mark.parametrize(
    ("pragma", "what"),
    [
        ("{-# LANGUAGE TemplateHaskell #-}", "TemplateHaskell"),
        ("{-# language LambdaCase, QuasiQuotes #-}", "QuasiQuotes"),
        ("{-# LANGUAGE CPP #-}", "CPP"),
        ("{-# OPTIONS_GHC -XTemplateHaskell #-}", "TemplateHaskell"),
        ("{-# OPTIONS_GHC -F -pgmF /usr/bin/python3 #-}", "plain words"),
        ("{-# options -fplugin=Evil #-}", "plain words"),
        ("{-# OPTIONS_GHC -Wall -pgmF #-}", "-pgmF"),
        ('{-#ANN module (error "now")#-}', "ANN"),
    ],
)
def test_code_that_runs_at_compile_time_is_refused(pragma: str, what: str) -> None:
    message = only(refused(player(pragmas=pragma)))
    assert what in message.text
    assert (message.file, message.line) == ("Player.hs", 1)


def test_harmless_pragmas_are_accepted() -> None:
    pragmas = "{-# OPTIONS_GHC -Wall -O2 -fno-warn-unused-imports #-}\n{-# LANGUAGE Safe #-}"
    assert played(player(pragmas=pragmas))[0].record.fault is None


def test_libraries_that_agents_do_not_have_are_named_when_they_are_imported() -> None:
    modules = ["System.Process", "GHC", "Language.Haskell.TH"]
    top = "\n".join(f"import {module} ()" for module in modules)
    messages = refused(player(top=top)).messages
    assert len(messages) == len(modules)
    for module, message in zip(modules, messages, strict=True):
        assert f"{module}’" in message.text

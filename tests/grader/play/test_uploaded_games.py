"""Uploaded rules in the referee's seat of a real sandbox: played, drawn, contained, to blame."""

import hashlib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from grader.core.games import remember_games
from grader.core.games.uploaded import facts_digest, read_facts, uploaded_game
from grader.core.records import AgentRef, BatchPhase, BatchReport, FaultKind
from grader.house.catalogue import AGENTS
from grader.interfaces import interface_named
from grader.play.game_check import check_folder
from grader.results.drawn import shown_again
from grader.results.receipt import check_result
from grader.uploads.archive import read_upload
from grader.uploads.store import ArtefactStore
from grader.viewer import Seat, shown
from grader.worker.requests import play_request
from tests.support.agents import request_for
from tests.support.game_folders import beginning, folder, name_of, pig
from tests.support.slots import confined

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

SLOT = confined()
RANDOM = read_upload("house.zip", AGENTS["any/random_legal"].bundle()).archive()
DESCRIPTORS = "import os\nfor each in range(3, 10):\n    "


def play(
    tmp_path: Path,
    archive: bytes,
    first: bytes = RANDOM,
    *,
    games: int = 2,
    interface: str = "python",
    game: str = "tic_tac_toe",
    facts: str = "",
) -> list[BatchReport]:
    """Have a grader play an uploaded game; return what it reports."""
    store = ArtefactStore(str(tmp_path))
    other = AgentRef(interface="python", sha256=store.put(RANDOM))
    request = replace(
        request_for(range(games), seating=(0, 1)),
        agents=(AgentRef(interface=interface, sha256=store.put(first)), other),
        game=name_of(archive, game),
        options={"variant": "standard", "players": 2},
        game_folder=store.put(archive),
        game_version="1-" + hashlib.sha256(archive).hexdigest()[:16],
        game_facts=facts or msgspec.UNSET,
    )
    sent: list[BatchReport] = []
    play_request(request, store, SLOT, sent.append)
    return sent


@pytest.mark.parametrize("game", ["tic_tac_toe", "pig"])
def test_a_folder_passes_its_check_and_is_played_and_drawn(game: str, tmp_path: Path) -> None:
    archive = pig() if game == "pig" else folder()
    facts, problems = check_folder(archive, SLOT)
    assert problems == []
    sent = play(tmp_path, archive, game=game)
    assert sent[-1].phase is BatchPhase.DONE, sent[-1].system_fault
    kind = uploaded_game(facts, hashlib.sha256(archive).hexdigest())
    remember_games({kind.name: kind}.get)
    for result in [result for report in sent for result in report.results]:
        check_result(result)
        drawn = shown_again(result.record, str(result.drawn))
        data = shown(drawn, seats=[Seat(name="Ada"), Seat(name="Ben")])
        assert len(data["turns"]) == len(result.record.actions.split())
        if game == "pig":
            assert [row["title"] for row in data["first"]["rows"]] == ["Seat 1", "Seat 2", "Rolled"]
            assert any(scene["rows"][2]["cards"] for scene in drawn.scenes)
        else:
            assert data["grid"]["pieces"]["X"]["words"] == "a cross"
        assert drawn.scenes[-1]["scores"] == list(result.record.scores)


def drawing(rows: str) -> tuple[str, str]:
    """An edit: the state is drawn as these rows."""
    head = "    def text(self) -> str:\n"
    method = "    def rows(self, seat):\n        from grader.core.games.grids import Row\n"
    return head, f"{method}        return {rows}\n\n{head}"


def offering(action: str) -> tuple[str, str]:
    """Return an edit of the rules after which this code makes the list of legal actions."""
    return "free = [each for", f"free = [{action} for"


HOSTILE = {
    "reads files": (beginning("observe", "open('/etc/passwd')"), "its rules fail in `observe`"),
    "opens a socket": (
        beginning("observe", "import socket\nsocket.socket()"),
        "its rules fail in `observe`: PermissionError",
    ),
    "forks": (
        beginning("observe", "import os\nos.fork()"),
        "its rules tried to start a thread, a process or another program",
    ),
    "prints without end": (
        beginning("observe", "while True:\n    print('x' * 1000)"),
        "its rules hang: no answer",
    ),
    "writes lines to the grader without end": (
        beginning(
            "observe",
            f"while True:\n    {DESCRIPTORS.replace(chr(10), chr(10) + '    ')}"
            "    try:\n                os.write(each, b'{}\\n')\n"
            "            except OSError:\n                pass",
        ),
        "its answer to `observe` is none",
    ),
    "writes a line without end": (
        beginning(
            "observe",
            f"{DESCRIPTORS}try:\n        os.write(each, b'x' * 100000)\n"
            "    except OSError:\n        pass",
        ),
        "its rules answered with more than 64 KiB",
    ),
    "hangs": (beginning("legal_actions", "while True:\n    pass"), "its rules hang: no answer"),
    "uses all memory": (
        beginning("observe", "hoard = [bytearray(1 << 26) for _ in range(99)]"),
        "its rules fail in `observe`: MemoryError",
    ),
    "ends its process": (
        beginning("observe", "import os\nos._exit(3)"),
        "its rules ended their process: exit status 3",
    ),
    "answers with huge JSON": (
        beginning("observe", "return {'x': 'y' * 1_000_000}"),
        "an answer of 1,000,",
    ),
    "answers with deeply nested JSON": (
        beginning(
            "observe", "deep = {}\nfor _ in range(100):\n    deep = {'x': deep}\nreturn deep"
        ),
        "it is nested more than 20 levels deep",
    ),
    "answers with NaN": (beginning("observe", "return {'x': float('nan')}"), "its rules fail in"),
    "offers an action that no agent can send": (
        offering("{**each, 'path': [0]}"),
        "no agent can answer with one of its legal actions: its field 'path' is a list",
    ),
    "offers a number that not every language has": (
        offering("{**each, 'path': 1 << 63}"),
        "its field 'path' is beyond 64 bits",
    ),
    "names seats that are not there": (
        beginning("seat_to_act", "return 7"),
        "`acting` names seats that are not there",
    ),
    "gives scores out of bounds": (
        beginning("scores", "return (99, 0)"),
        "`scores` gives 99, 0; `score_range` is -1 to 1",
    ),
    "gives scores that are no numbers": (
        beginning("scores", "return (True, 0.5)"),
        "`scores` gives true, 0.5",
    ),
    "breaks a record apart": (beginning("notate", "return 'a b'"), "`notate` gives 'a b'"),
    "draws more cards than there is room for": (
        drawing("[Row(title='Hand', cards=('A',) * 1000)]"),
        "`rows` cannot be drawn",
    ),
    "draws a text that turns others around": (
        drawing("[Row(title='Hand', note='\\u202e')]"),
        "a text has invisible characters",
    ),
    "draws a hand of nobody": (
        drawing("[Row(title='Hand', seat=7)]"),
        "`rows` gives a row of a seat that is not there",
    ),
    "draws some states alone": (
        drawing("[Row(title='Hand')][self.turn > 2 :]"),
        "`rows` gives rows in some states, and none in others",
    ),
    "throws dice of its own": (
        beginning("scores", "import time\nreturn (time.monotonic_ns() >> 10 & 1, 0)"),
        "its rules are not deterministic",
    ),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_hostile_rules_are_contained_and_no_agent_is_to_blame(attack: str, tmp_path: Path) -> None:
    edit, sentence = HOSTILE[attack]
    archive = folder(edit)
    sent = play(tmp_path, archive, games=8)
    assert sent[-1].phase is BatchPhase.FAILED
    assert f"GameFault: {name_of(archive)}: " in sent[-1].system_fault
    assert sentence in sent[-1].system_fault
    assert not any(result.record.fault for report in sent for result in report.results)


LIES = """
import grader.conformance.served as served
said = served.facts
def lie(kind, *, with_deals):
    return {**said(kind, with_deals=with_deals), **({} if with_deals else {"title": "Chess"})}
served.facts = lie
"""
"""Rules that say other things when they are checked than when they are played."""


def test_rules_that_say_other_things_than_in_their_check_are_at_fault(tmp_path: Path) -> None:
    archive = folder(("SIZE: Final", f"{LIES}\nSIZE: Final"))
    facts, (problem,) = check_folder(archive, SLOT)
    assert "its rules say other things" in problem.problem
    sent = play(tmp_path, archive, games=1, facts=facts_digest(read_facts(facts)))
    assert "its rules say other things" in sent[-1].system_fault
    facts, _ = check_folder(folder(), SLOT)
    sent = play(tmp_path, folder(), games=1, facts=facts_digest(read_facts(facts)))
    assert sent[-1].phase is BatchPhase.DONE, sent[-1].system_fault


MANY_TRIALS = """
import grader.conformance.served as served
served.len = lambda counted: 1000
"""


def test_rules_do_not_say_how_long_they_are_checked() -> None:
    _, (problem,) = check_folder(folder(("SIZE: Final", f"{MANY_TRIALS}\nSIZE: Final")), SLOT)
    assert "1000 sets of rules" in problem.problem


@pytest.mark.parametrize("attack", ["hangs", "ends its process", "throws dice of its own"])
def test_the_check_of_an_upload_refuses_such_rules(attack: str) -> None:
    _, problems = check_folder(folder(HOSTILE[attack][0]), SLOT)
    assert problems


PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        action = {**message["legal"][0], "more": "{}", **CHANGES}
        print(json.dumps({"type": "action", "turn": message["turn"], "action": action}), flush=True)
    else:
        break
"""


@pytest.mark.parametrize(("changes", "kind"), [({}, None), ({"row": 9}, FaultKind.ILLEGAL)])
def test_what_a_student_writes_never_reaches_the_rules(
    changes: dict[str, int], kind: FaultKind | None, tmp_path: Path
) -> None:
    call = "chosen = checks.chosen("
    strict = (call, f"assert set(action) == {{'type', 'row', 'column'}}\n        {call}")
    source = PROGRAM.replace("CHANGES", repr(changes))
    shape = interface_named("stdio-python").upload
    program = read_upload("main.py", source.encode(), shape).archive()
    sent = play(tmp_path, folder(strict), program, games=1, interface="stdio-python")
    assert sent[-1].phase is BatchPhase.DONE, sent[-1].system_fault
    (result,) = [result for report in sent for result in report.results]
    assert (result.record.fault and result.record.fault.kind) == kind

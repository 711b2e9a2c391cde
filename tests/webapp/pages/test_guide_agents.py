"""What the guide's pages on the courses' interfaces say happens, happens: in the real sandbox.

For each interface one agent is compiled, mostly that of the starter kit, with all of its page's
deeds in its first turn. Which it does follows from the cards that it sees, and so from the deal.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from grader.cli import main
from grader.core.deals import PRACTICE_SECRET, deal_seed, shuffled
from grader.core.games.hanabi import DECK
from grader.core.records import AgentLimits, FaultKind
from grader.interfaces import INTERFACES
from grader.interfaces.guide import guide_of
from grader.interfaces.starter_kit import starter_files
from tests.grader.interfaces.fit2102 import uploads as haskell
from tests.grader.interfaces.test_starter_agents import played
from tests.support.deeds import Deeds, open_deeds
from tests.support.pages import text_of

CONSEQUENCES = {
    name: rows for name, each in INTERFACES.items() if (rows := guide_of(each).consequences)
}
CARDS = [color + rank for color in "RGBYW" for rank in "12345"]
NONE = CARDS[-1]
"""The card that stands for no deed."""

AGENT = {
    "uwa-java": ("agents/Agent12345678.java", "        state = now;\n"),
    "gcc-cpp": ("Player.h", "Event* Player::ask() {\n"),
    "ensta-python": ("robot.py", "        move = self.play_what_fits()\n"),
    "cs221-python": ("player.py", "        action = self.play_what_fits(gameState)\n"),
}
"""The file of each starter kit's agent, and the line before which something is added."""

_IO = "catch (java.io.IOException e) { throw new RuntimeException(e); }"
_DISCARD = 'new Action(0, "", ActionType.DISCARD, 0)'
_PYTHON = {
    "thread": ["import threading; threading.Thread(target=print).start()", "import os; os.fork()"],
    "program": ["import subprocess; subprocess.run(['true'])"],
    "file": ["open('/etc/passwd')", "open('/tmp/mine', 'w')"],
    "network": ["import socket; socket.socket()"],
    "package": ["import torch"],
    "exit": ["import sys; sys.exit()", "exit()", "import os; os._exit(0)"],
    "print": ["print('hello')"],
    "input": ["input()"],
    "exception": ["1 / 0"],
    "loop": ["while True: pass"],
    "memory": ["bytearray(1 << 30)"],
}
DEEDS: dict[str, dict[str, Sequence[str]]] = {
    "uwa-java": {
        "thread": [
            "new Thread(() -> {}).start();",
            "java.util.concurrent.Executors.newFixedThreadPool(2).submit(() -> 1);",
            "new java.util.Timer();",
        ],
        "parallel": ["java.util.stream.IntStream.range(0, 1000).parallel().sum();"],
        "program": [f'try {{ Runtime.getRuntime().exec("true"); }} {_IO}'],
        "file": [
            f'try {{ new java.io.FileReader("/etc/passwd"); }} {_IO}',
            f'try {{ new java.io.FileWriter("/tmp/mine"); }} {_IO}',
        ],
        "network": [f"try {{ new java.net.ServerSocket(0); }} {_IO}"],
        "exit": ["System.exit(0);"],
        "print": ['System.out.println("hello");'],
        "input": [f"try {{ if (System.in.read() != -1) throw new Error(); }} {_IO}"],
        "null": [
            "return null;",
            f"try {{ return {_DISCARD}; }} catch (IllegalActionException e) {{ }}",
        ],
        "exception": ['throw new RuntimeException("lost");'],
        "recursion": ["return doAction(now);"],
        "loop": ["while (now != null) { }"],
        "memory": ["if (new long[1 << 28].length > 0) return null;"],
        "finalizer": [],
    },
    "gcc-cpp": {
        "thread": [
            "std::thread([] {}).join();",
            "std::async(std::launch::async, [] { return 1; }).get();",
            "fork();",
            'system("true");',
        ],
        "file": [
            'if (fopen("/etc/passwd", "r") || fopen("/tmp/mine", "w")) throw 1;',
            'std::ifstream file("/etc/hosts"); if (file.good()) throw 1;',
        ],
        "exit": ["exit(0);", "abort();"],
        "print": ['cout << "hello" << endl; printf("hello");'],
        "input": ["int n; if (cin >> n) throw 1;"],
        "null": ["return NULL;", "return new DrawEvent();", "return new PlayEvent(17);"],
        "hint": ["return new NumberHintEvent(vector<int>(), 6);"],
        "exception": ['throw std::runtime_error("lost");'],
        "recursion": ["asked = false; return ask();", "return *(Event**)8;"],
        "loop": ["for (volatile int i = 0;; i++) {}"],
        "memory": ["for (;;) { int* p = new int[1 << 20]; p[0] = 1; }"],
    },
    "ensta-python": {
        **_PYTHON,
        "move": ["return 'd9'"],
        "moves": ["return 'd8' if len(self.game.moves) % 2 else 'd9'"],
        "none": ["return None"],
    },
    "cs221-python": {
        **_PYTHON,
        "illegal": ["return ('play', 9)", "return ('color', self.index, 0)"],
        "none": ["return None", "return 'play'"],
    },
}
"""What does it, for each row of a page's table."""
_TOP = {
    "gcc-cpp": "#include <fstream>\n#include <future>\n#include <stdexcept>\n#include <thread>\n"
    "#include <unistd.h>\nstatic bool asked = false;\n",
}
SHORT = AgentLimits(turn_seconds=0.5, turn_wall_seconds=1.5)
"""For deeds that must run out of time."""
LONG = AgentLimits(turn_seconds=5.0, turn_wall_seconds=15.0)
"""For all others, so that a busy host ends none of them."""


HASKELL = "fit2102-haskell"
_BY_FORCE = "unsafePerformIO ({} >> return usual)"
DEEDS_IN_HASKELL: dict[str, Sequence[str]] = {
    "thread": [_BY_FORCE.format("forking")],
    "own": [_BY_FORCE.format("forkIO (return ())")],
    "file": [_BY_FORCE.format('(readFile "/etc/passwd" >>= print . length)')],
    "print": ['trace "hello" usual'],
    "illegal": ["(Card Heart Ace, memory)"],
    "exception": ['error "lost"', "(head [], memory)"],
    "memory text": ["(fst usual, replicate 70000 'x')", '(fst usual, cycle "x")'],
    "loop": ["let f x = f (not x) in if f True then usual else usual"],
    "memory": ["(fst usual, show (sum ns + length ns))"],
}
"""Answers of ``playCard``, one of which the hand chooses."""
_TOP_OF_HASKELL = """
import Control.Concurrent
import Debug.Trace
import Foreign.C.Types
import System.IO.Unsafe
foreign import ccall "fork" forking :: IO CInt
ns :: [Int]
ns = [1 ..]
"""


def test_every_row_of_the_pages_tables_is_tried() -> None:
    tried = {**DEEDS, HASKELL: DEEDS_IN_HASKELL}
    assert {name: set(deeds) for name, deeds in tried.items()} == {
        name: set(rows) for name, rows in CONSEQUENCES.items()
    }


ANSWERS = [(row, answer) for row, answers in DEEDS_IN_HASKELL.items() for answer in answers]


def limits_of(interface: str, row: str) -> AgentLimits:
    runs_out_of_time = (FaultKind.TIMEOUT, FaultKind.IDLE)
    return SHORT if CONSEQUENCES[interface][row].fault in runs_out_of_time else LONG


@pytest.fixture(scope="module")
def players_in_haskell(docker_engine: object) -> Iterator[Callable[[AgentLimits], Deeds]]:
    """One player with all of these answers, opened once for each time that it has for a turn."""
    answers = [answer for _, answer in ANSWERS]
    upload = haskell.choosing(answers, top=_TOP_OF_HASKELL)
    deals = haskell.deals_of(answers)
    players: dict[float, Deeds] = {}
    with ExitStack() as stack:

        def player(limits: AgentLimits) -> Deeds:
            seconds = limits.turn_seconds
            if seconds not in players:
                asked = haskell.request_for([0], turn_seconds=seconds)
                players[seconds] = stack.enter_context(open_deeds(asked, upload, deals))
            return players[seconds]

        yield player


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize(("row", "answer"), ANSWERS)
def test_acts_of_haskell_agents_have_the_consequences_on_the_page(
    players_in_haskell: Callable[[AgentLimits], Deeds], row: str, answer: str
) -> None:
    fault = players_in_haskell(limits_of(HASKELL, row)).play(answer).record.fault
    assert (fault and fault.kind) == CONSEQUENCES[HASKELL][row].fault


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize("interface", DEEDS)
def test_acts_of_agents_have_the_consequences_on_the_page(interface: str) -> None:
    deeds = [(row, deed) for row, deeds in DEEDS[interface].items() for deed in deeds]
    upload = agent(interface, [deed for _, deed in deeds])
    hand_size = 4 if interface == "cs221-python" else 5
    found = {}
    for limits in (SHORT, LONG):
        at = [n for n, (row, _) in enumerate(deeds) if limits_of(interface, row) is limits]
        indices = [deal_with(CARDS[n], hand_size) for n in at]
        results = played(interface, upload, indices=indices, players=2, limits=limits)
        for n, result in zip(at, results, strict=True):
            found[deeds[n][1]] = result.record.fault and result.record.fault.kind
    assert found == {deed: CONSEQUENCES[interface][row].fault for row, deed in deeds}


def agent(interface: str, deeds: Sequence[str]) -> dict[str, bytes]:
    assert len(deeds) < len(CARDS)
    name, where = AGENT[interface]
    source = starter_files("hanabi", interface=interface)[name].decode()
    assert source.count(where) == 1
    added = "".join(_when(interface, card, deed) for card, deed in zip(CARDS, deeds, strict=False))
    if interface == "gcc-cpp":
        changed = source.replace(where, f"{where}{added}    asked = true;\n")
    elif interface == "cs221-python":
        first = "        first, self.began = not hasattr(self, 'began'), True\n"
        changed = source.replace(where, first + added + where)
    else:
        changed = source.replace(where, added + where)
    return {name: (_TOP.get(interface, "") + changed).encode()}


def _when(interface: str, card: str, deed: str) -> str:
    """The deed, if this is the game's first turn and the partner's first card is this one."""
    color, rank = card[0], int(card[1])
    if interface == "uwa-java":
        name = {"R": "Red", "G": "Green", "B": "Blue", "Y": "Yellow", "W": "White"}[color]
        test = f'now.getHand(1)[0].toString().equals("{name}-{rank}")'
        return f"if (now.getOrder() == 0 && {test}) {{ {deed} }}\n"
    if interface == "gcc-cpp":
        test = f"partners[0] == Card({'RBGYW'.index(color)}, {rank})"
        return f"if (!asked && {test}) {{ asked = true; {deed} }}\n"
    if interface == "ensta-python":
        first = "set(self.game.moves) <= {'d8', 'd9'}"  # refused ones, which stand there too
        test = f"{first} and str(self.game.hands[1].cards[0]) == '{card}'"
    else:
        seen = f"gameState.data.agentState[1].cards[0] == ({'RYGWB'.index(color)}, {rank - 1})"
        test = f"first and self.index == 0 and {seen}"
    return f"        if {test}:\n            {deed}\n"


@cache
def top_of_deck(index: int) -> Sequence[str]:
    return shuffled(DECK, deal_seed(PRACTICE_SECRET, index))[:10]


def deal_with(card: str, hand_size: int) -> int:
    """A practice deal in which seat 1 begins with this card and seat 0 with that for no deed."""
    for index in range(100_000):
        deck = top_of_deck(index)
        if (deck[0], deck[hand_size]) == (NONE, card):
            return index
    raise AssertionError(f"no deal begins with {card}")


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
def test_an_agent_in_java_with_a_finalizer_cannot_be_loaded() -> None:
    name, _ = AGENT["uwa-java"]
    source = starter_files("hanabi", interface="uwa-java")[name].decode()
    method = "    protected void finalize() {}\n\n    @Override\n    public Action doAction"
    changed = source.replace("    @Override\n    public Action doAction", method)
    (result,) = played("uwa-java", {name: changed.encode()}, players=2, indices=[0])
    assert result.record.fault is not None
    assert result.record.fault.kind is CONSEQUENCES["uwa-java"]["finalizer"].fault
    assert "could not be loaded" in result.record.fault.detail


TYPOS = {
    "uwa-java": ("= playWhatFits();", "= playWhatFit();"),
    "gcc-cpp": ("i = 0; hints > 0", "i = 0; hnts > 0"),
    "ensta-python": ("class Robot(AI):", "class Robot(AI)"),
    "cs221-python": ("class Starter(Agent):", "class Starter(Agent)"),
}
"""A mistake to make in each starter kit's agent."""


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
@pytest.mark.parametrize("interface", TYPOS)
def test_messages_of_compilers_look_as_the_page_shows_them(
    interface: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, _ = AGENT[interface]
    right, wrong = TYPOS[interface]
    source = starter_files("hanabi", interface=interface)[name].decode()
    assert right in source
    file = tmp_path / Path(name).name
    file.write_text(source.replace(right, wrong))
    monkeypatch.chdir(tmp_path)
    assert main(["play", file.name]) == 1
    page = unescape(text_of(Client().get(f"/guide/{interface}/")))
    (shown,) = re.findall(r'aria-label="Messages of the compiler">([^<]*)</pre>', page)
    assert capsys.readouterr().out.startswith(f"{shown}\n")

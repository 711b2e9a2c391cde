"""Our own agents of this interface: which of them covers what of it.

Each plays whole games without a fault in ``test_gcc_cpp``; here is looked whether all of them
together touch all there is.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import grader.interfaces

AGENTS: Final = Path(__file__).parent / "agents"
HEADERS: Final = Path(grader.interfaces.__file__).parent / "gcc_cpp" / "gcc_cpp"

COVERS: Final = {
    "the sequence of tells, member by member": ("recorder", r"cerr << \"told \""),
    "events are cast by their action": ("recorder", r"static_cast<NumberHintEvent\*>"),
    "every kind of action": ("recorder", r"new PlayEvent.*new DiscardEvent"),
    "definitions beside the class": ("recorder", r"Event\* Player::ask\(\)"),
    "a header of its own": ("cautious", r'#include "Knowledge.h"'),
    "hints with indices filled in": ("cautious", r"NumberHintEvent\(indices"),
    "a draw appends": ("cautious", r"theirs\.add\(\)"),
    "an empty copy constructor": ("copier", r"Player\(const Player&\) : draws\(-1\)"),
    "state travels by operator=": ("copier", r"Player& operator=\(const Player& other\)"),
    "the deal is told before the assignment": ("copier", r"assigned == 0"),
    "events and cards are copied": ("copier", r"Event base\(\*event\)"),
    "cards compare, and have names": ("copier", r"toString\(\)"),
    "all constants of colors": ("copier", r"YELLOW == 3"),
    "no includes, no using": ("veteran", r"\A(?!.*(#include|using namespace))"),
    "what -fpermissive permits": ("veteran", r"Player::Player\(\) \{.*self->remember"),
    "functions without return": ("veteran", r"int report\(Event\* e\)\s*\{[^}]*\n    \}\n"),
    "algorithm, cstdlib and iostream are there": ("veteran", r"srand.*cout.*sort\("),
    "printing to standard output": ("veteran", r"printf\("),
    "swaps, in either direction": ("swapper", r"SwapEvent\(3, 1\)"),
    "a swap of a card with itself": ("swapper", r"SwapEvent\(2, 2\)"),
    "a swap is told when it is done": ("swapper", r"unswapped"),
    "events that are filled in": ("collector", r"new ColorHintEvent\(\);"),
    "a discard at all hints": ("collector", r"hints == MAX_HINTS"),
    "the standard library's containers": ("collector", r"<deque>.*<map>"),
    "strikes": ("collector", r"PlayEvent\* play"),
    "the engine's files uploaded too": ("bundled", r'#include "Card.h"'),
    "a folder, and programs beside": ("bundled", r"with its folder"),
    "board, hints, fuses, hand and deck in every tell": ("accountant", r"deckSize == deck"),
    "the deal, card by card": ("accountant", r"position == told - 1"),
    "own draws are never told": ("accountant", r"its own draw, of which nobody tells it"),
    "a draw is said to be at 5 or 4": ("accountant", r"drawn->position == drawAt"),
    "NO_OP in place of a draw": ("accountant", r"deck == 0, \"NO_OP"),
    "a discard is told before it is done": ("accountant", r"told before anything has happened"),
    "a play is told when it is done": (
        "accountant",
        r"partners\.erase.*board\[played->c\.color\]\+\+",
    ),
    "a play has legal, and its card": ("accountant", r"played->legal == fits"),
    "who it was": ("accountant", r"played->wasItThisPlayer"),
    "hints are told to whom they are for": ("accountant", r"hints--;  // nobody tells it"),
    "the engine fills in the indices": ("accountant", r"vector<int>\(3, 7\)"),
    "hands and boards are copies": ("accountant", r"oHand\.clear\(\)"),
    "what is told can be changed in vain": ("accountant", r"->position = 99"),
    "whoever swaps is asked again": ("accountant", r"asked % 7 == 3"),
    "a five gives a hint back": ("accountant", r"NUM_NUMBERS\) takeBack"),
    "a header named like the library's": ("bundled", r'#include "string.h"\n#include <string.h>'),
}
"""Every peculiarity, the agent that covers it, and where."""

STUDENTS: Final = {
    "definitions in a file that a header includes": ("several", r'#include "Player\.cpp"'),
    "a header that includes Player.h again": ("several", r'STRATEGY.*#include "Player\.h"'),
    "a header in a folder, and ../Card.h": ("several", r'#include "\.\./Card\.h"'),
    "a header without a guard": ("several", r"no guard"),
    "macros": ("several", r"#define FOR\(i, n\)"),
    "globals": ("several", r"int totalHintsGiven = 0"),
    "arrays by hand, freed and copied": ("several", r"delete\[\] myHand"),
    "an empty copy constructor beside operator=": (
        "several",
        r"Player\(const Player& other\) \{ \}",
    ),
    "templates": ("several", r"template <typename T, int N>"),
    "virtual members": ("several", r"virtual ~CardInfo"),
    "a base class, abstract": ("single", r"class Player : public Base"),
    "what only Windows has, left out": ("single", r"#ifdef WIN32"),
    "a namespace without a name": ("single", r"namespace \{"),
    "events told apart by casts of C": ("single", r"\(\(DrawEvent\*\)event\)"),
    "swaps to order a hand": ("single", r"new SwapEvent\(i - 1, i\)"),
    "lambdas and auto": ("single", r"for_each\(h->indices"),
    "printing with operators of one's own": ("single", r"ostream& operator<<\(ostream& out, Event"),
}
"""What is in those that are written as students write (``../test_students`` plays them)."""


def sources(agent: str) -> str:
    return "\n".join(path.read_text() for path in sorted((AGENTS / agent).rglob("Player.h")))


@pytest.mark.parametrize("what", STUDENTS)
def test_habits_of_students_occur_in_their_agents(what: str) -> None:
    agent, where = STUDENTS[what]
    files = sorted(path for path in (AGENTS.parent / "students" / agent).rglob("*.*"))
    text = "\n".join(path.read_text() for path in files)
    assert re.search(where, text, re.DOTALL), f"{agent} no longer has: {what}"


def all_sources() -> str:
    return "\n".join(path.read_text() for path in AGENTS.rglob("*.h"))


@pytest.mark.parametrize("what", COVERS)
def test_a_peculiarity_is_covered(what: str) -> None:
    agent, where = COVERS[what]
    assert re.search(where, sources(agent), re.DOTALL), f"{agent} no longer covers: {what}"


def test_every_agent_covers_something() -> None:
    assert {path.name for path in AGENTS.iterdir()} == {agent for agent, _ in COVERS.values()}


def test_every_constant_of_the_engine_is_used() -> None:
    names = re.findall(r"^#define (\w+) ", (HEADERS / "GameConstants.h").read_text(), re.MULTILINE)
    assert len(names) == 16
    assert [name for name in names if not re.search(rf"\b{name}\b", all_sources())] == []


def test_every_type_and_member_of_the_engine_is_used() -> None:
    headers = (HEADERS / "Card.h").read_text() + (HEADERS / "Events.h").read_text()
    types = re.findall(r"^class (\w+)", headers, re.MULTILINE)
    members = re.findall(r"^    (?:int|bool|Card|vector<int>) (\w+);", headers, re.MULTILINE)
    methods = re.findall(r"(\w+)\(\) const \{", headers)
    used = all_sources()
    assert len(types) == 8
    assert {"drawnCard", "wasItThisPlayer", "indices", "getAction"} < {*members, *methods}
    public = {*types, *members, *methods} - {"action"}
    assert [name for name in sorted(public) if not re.search(rf"\b{name}\b", used)] == []


@pytest.mark.parametrize("event", ["Swap", "Draw", "Discard", "Play", "ColorHint", "NumberHint"])
def test_every_event_is_made_empty_and_read(event: str) -> None:
    used = all_sources()
    assert re.search(rf"\b{event}Event \w+;|new {event}Event\(\)", used)
    assert re.search(rf"static_cast<{event}Event\*>", used)

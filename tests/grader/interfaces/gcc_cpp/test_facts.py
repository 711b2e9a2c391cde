"""What an agent can see of the course's headers, expression by expression, as the course has it."""

from typing import Final

import pytest

from tests.grader.interfaces.gcc_cpp.playing import faulted, played
from tests.grader.interfaces.gcc_cpp.uploads import player
from tests.support.archives import archive

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

CONSTANTS: Final = {
    "RED": 0, "BLUE": 1, "GREEN": 2, "YELLOW": 3, "WHITE": 4, "NUM_COLORS": 5, "NUM_NUMBERS": 5,
    "MAX_HINTS": 8, "HAND_SIZE": 5, "SWAP": 10, "PLAY": 11, "DISCARD": 12, "COLOR_HINT": 13,
    "DRAW": 14, "NUMBER_HINT": 15, "NO_OP": 0,
}  # fmt: skip
GUARDS: Final = ("GAME_CONSTANTS_H", "CARD_H", "EVENTS_H")

FACTS: Final[dict[str, str]] = {
    # Cards.
    "Card(RED, 3).toString()": "Red 3",
    "Card(BLUE, 1).toString()": "Blue 1",
    "Card(GREEN, 2).toString()": "Green 2",
    "Card(YELLOW, 4).toString()": "Yellow 4",
    "Card(WHITE, 5).toString()": "White 5",
    "static_cast<const Card&>(Card(WHITE, 5)).toString()": "White 5",
    "Card(GREEN, 2).color": "2",
    "Card(GREEN, 2).number": "2",
    "Card(Card(YELLOW, 4)).toString()": "Yellow 4",
    "Card(RED, 1) == Card(RED, 1)": "1",
    "Card(RED, 1) == Card(RED, 2)": "0",
    "Card(RED, 1) != Card(BLUE, 1)": "1",
    "Card(RED, 1) != Card(RED, 1)": "0",
    "changed().toString()": "White 2",
    "sizeof(Card) == 2 * sizeof(int)": "1",
    # Events.
    "Event().getAction()": "0",
    "Event(PlayEvent(1)).getAction()": "11",
    "SwapEvent().getAction()": "10",
    "DrawEvent().getAction()": "14",
    "DiscardEvent().getAction()": "12",
    "PlayEvent().getAction()": "11",
    "ColorHintEvent().getAction()": "13",
    "NumberHintEvent().getAction()": "15",
    "SwapEvent(3, 1).getAction()": "10",
    "SwapEvent(3, 1).firstPosition": "3",
    "SwapEvent(3, 1).secondPosition": "1",
    "DrawEvent(4, Card(RED, 1)).getAction()": "14",
    "DrawEvent(4, Card(RED, 1)).position": "4",
    "DrawEvent(4, Card(RED, 1)).drawnCard.toString()": "Red 1",
    "DiscardEvent(2).getAction()": "12",
    "DiscardEvent(2).position": "2",
    "PlayEvent(2).getAction()": "11",
    "PlayEvent(2).position": "2",
    "ColorHintEvent(two(), BLUE).getAction()": "13",
    "ColorHintEvent(two(), BLUE).indices.size()": "2",
    "ColorHintEvent(two(), BLUE).color": "1",
    "NumberHintEvent(two(), 4).getAction()": "15",
    "NumberHintEvent(two(), 4).indices[1]": "7",
    "NumberHintEvent(two(), 4).number": "4",
    "static_cast<SwapEvent*>((Event*)new SwapEvent(2, 0))->firstPosition": "2",
    "((PlayEvent*)(Event*)new PlayEvent(3))->position": "3",
    # Types.
    "std::is_polymorphic<Event>::value": "0",
    "std::is_polymorphic<PlayEvent>::value": "0",
    "std::is_base_of<Event, SwapEvent>::value": "1",
    "std::is_base_of<Event, DrawEvent>::value": "1",
    "std::is_base_of<Event, DiscardEvent>::value": "1",
    "std::is_base_of<Event, PlayEvent>::value": "1",
    "std::is_base_of<Event, ColorHintEvent>::value": "1",
    "std::is_base_of<Event, NumberHintEvent>::value": "1",
    "std::is_convertible<int, PlayEvent>::value": "1",
    "std::is_same<decltype(PlayEvent::legal), bool>::value": "1",
    "std::is_same<decltype(PlayEvent::wasItThisPlayer), bool>::value": "1",
    "std::is_same<decltype(PlayEvent::c), Card>::value": "1",
    "std::is_same<decltype(DiscardEvent::wasItThisPlayer), bool>::value": "1",
    "std::is_same<decltype(DiscardEvent::c), Card>::value": "1",
    "std::is_same<decltype(ColorHintEvent::indices), std::vector<int>>::value": "1",
    "std::is_same<decltype(NumberHintEvent::indices), std::vector<int>>::value": "1",
    "std::is_assignable<Event&, Event>::value": "1",
    "Marked().getAction()": "77",
    # Names that the headers put beside one's own.
    "::to_string(3) + ::string(\"x\")": "3x",
    "::vector<int>(2, 5)[1]": "5",
    "swappedCards().toString()": "Blue 2",
    # What a player is told at the start.
    "hints": "8",
    "partners.size()": "5",
    **{name: str(value) for name, value in CONSTANTS.items()},
}  # fmt: skip
"""C++ expressions, and what ``<<`` prints of them."""

TOP: Final = """
#include <sstream>
#include <type_traits>
#define CHECK(what, expected, value) { \\
    std::ostringstream out; \\
    out << (value); \\
    if (out.str() != expected) cerr << "DIFFERS: " << what << " is " << out.str() << endl; }
Card changed() { Card one(RED, 1), other(WHITE, 2); one = other; return one; }
Card swappedCards() { Card one(RED, 1), other(BLUE, 2); swap(one, other); return one; }
vector<int> two() { return vector<int>(2, 7); }
class Marked : public Event { public: Marked() { action = 77; } };
"""


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def test_every_expression_has_the_value_that_it_has_in_the_course() -> None:
    checks = "\n".join(
        f"CHECK({_quoted(what)}, {_quoted(expected)}, ({what}));"
        for what, expected in FACTS.items()
    )
    required = "".join(f"#ifndef {name}\n#error {name}\n#endif\n" for name in (*GUARDS, *CONSTANTS))
    _, said = faulted(player(f'{checks}\nthrow "END OF FACTS";', top=required + TOP))
    assert "END OF FACTS" in said
    assert [line for line in said.splitlines() if "DIFFERS" in line] == []
    print(f"{len(FACTS)} expressions and {len(GUARDS)} guards compared")


SWAPS: Final = """
if (event->getAction() == SWAP) {
    SwapEvent* told = static_cast<SwapEvent*>(event);
    cerr << "told " << told->firstPosition << told->secondPosition << endl;
}
"""


def test_swaps_are_told_as_they_were_written() -> None:
    swaps = (
        "static const int all[] = {31, 22, 4, 40};\n"
        "if (turn <= 4) return new SwapEvent(all[turn - 1] / 10, all[turn - 1] % 10);"
        'if (turn == 6) throw "END";'
    )
    _, said = faulted(player(swaps, tell=SWAPS))
    told = [line for line in said.splitlines() if line.startswith("told")]
    assert told[:4] == ["told 31", "told 22", "told 04", "told 40"]


BODY: Final = (
    "class Player {{ public: int hints; Player() : hints(0) {{}}"
    " void tell(Event*, vector<int>, int h, int, vector<Card> hand, int) {{ hints = h; {tell} }}"
    " Event* ask() {{ {ask} return new DiscardEvent(0); }} }};\n"
)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            {
                "Player.h": '#pragma once\n#include "Events.h"\n' + BODY.format(tell="", ask="")
                + '#include "Game.h"\n#include "PlayerAndHand.h"\n'
                "FullPlayer full; Game* game; PlayerAndHand* one = &full;\n",
            },
            id="the headers of the engine",
        ),
        pytest.param(
            {
                "Player.h": '#include "Events.h"\n#include "Game.h"\n'
                + BODY.format(tell="", ask="ours();"),
                "Game.h": "void ours() {}\n",
            },
            id="a header of one's own in place of the engine's",
        ),
        pytest.param(
            {
                "Player.h": '#include "Events.h"\nint count = 0; struct array { int size; };\n'
                "array distance;\n" + BODY.format(tell="count++;", ask="distance.size = count;"),
            },
            id="names that all of std has, too",
        ),
        pytest.param(
            {
                "Player.h": '#include "Events.h"\n'
                "bool lower(Card one, Card other) { return one.number < other.number; }\n"
                + BODY.format(tell="pair<int, int> p; sort(&hand[0], &hand[2], lower);", ask="")
            },
            id="names of std alone",
        ),
    ],
)  # fmt: skip
def test_names_that_the_course_leaves_and_gives_compile(files: dict[str, str]) -> None:
    (result,) = played(archive(files))
    assert result.record.fault is None

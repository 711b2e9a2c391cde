"""Programs in three languages that play the last legal action, with something added to them."""

from collections.abc import Sequence
from typing import Final

from grader.core.deals import agent_seed
from tests.support.deeds import Deals, deals_for

_PYTHON: Final = """\
import json
import sys
{top}

def answer(message, turns):
    if turns == 3:
        {third}
    action = message["legal"][-1]
    return {{"type": "action", "turn": message["turn"], "action": action}}

turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        {start}
        print('{{"type":"ready"}}')
    elif message["type"] == "turn":
        turns += 1
        print(json.dumps(answer(message, turns)))
    else:
        {end}
"""

_CPP: Final = r"""
#include <iostream>
#include <string>
{top}

std::string answer(const std::string& line, int turns) {{
    if (turns == 3) {{
        {third}
    }}
    int turn = std::stoi(line.substr(line.find("\"turn\":") + 7));
    size_t begin = line.rfind('{{');
    std::string action = line.substr(begin, line.find('}}', begin) + 1 - begin);
    return "{{\"type\":\"action\",\"turn\":" + std::to_string(turn) + ",\"action\":" + action
        + "}}";
}}

int main(int argc, char** argv) {{
    int turns = 0;
    for (std::string line; std::getline(std::cin, line);) {{
        if (line.rfind("{{\"type\":\"start\"", 0) == 0) {{
            {start}
            std::cout << "{{\"type\":\"ready\"}}" << std::endl;
        }} else if (line.rfind("{{\"type\":\"turn\"", 0) == 0) {{
            std::cout << answer(line, ++turns) << std::endl;
        }} else {{
            {end}
        }}
    }}
}}
"""

_JAVA: Final = r"""
import java.util.*;

class Main {{
    {top}
    static String answer(String line, int turns) throws Exception {{
        if (turns == 3) {{
            {third}
        }}
        int at = line.indexOf("\"turn\":") + 7;
        String turn = line.substring(at, line.indexOf(',', at));
        int begin = line.lastIndexOf('{{');
        String action = line.substring(begin, line.indexOf('}}', begin) + 1);
        return "{{\"type\":\"action\",\"turn\":" + turn + ",\"action\":" + action + "}}";
    }}

    public static void main(String[] args) throws Exception {{
        Scanner in = new Scanner(System.in);
        int turns = 0;
        while (in.hasNextLine()) {{
            String line = in.nextLine();
            if (line.startsWith("{{\"type\":\"start\"")) {{
                {start}
                System.out.println("{{\"type\":\"ready\"}}");
            }} else if (line.startsWith("{{\"type\":\"turn\"")) {{
                System.out.println(answer(line, ++turns));
            }} else {{
                {end}
            }}
        }}
    }}
}}
"""

_TEXTS: Final = {
    "stdio-python": ("main.py", _PYTHON, "pass"),
    "stdio-cpp": ("main.cpp", _CPP, ""),
    "stdio-java": ("Main.java", _JAVA, ""),
}


def program(
    interface: str, third: str = "", *, top: str = "", start: str = "", end: str = ""
) -> dict[str, str]:
    """The files of one with these statements: when it is asked for the third time, at its top, in
    answer to the start, and after the end."""
    name, text, nothing = _TEXTS[interface]
    parts = {"third": third, "start": start, "end": end}
    return {name: text.format(top=top, **{key: part or nothing for key, part in parts.items()})}


_CHOICES: Final = {
    "stdio-python": (
        "deed = None",
        'deed = message["seed"] % {count}',
        "if deed == {at}:\n            {text}\n        pass",
    ),
    "stdio-cpp": (
        "static long deed = -1;",
        'deed = std::stol(line.substr(line.find("\\"seed\\":") + 7)) % {count};',
        "if (deed == {at}) {{\n{text}\n}}",
    ),
    "stdio-java": (
        "static long deed = -1;",
        'deed = Long.parseLong(line.replaceAll(".*\\"seed\\":(\\\\d+).*", "$1")) % {count};',
        "if (deed == {at}) {{\n{text}\n}}",
    ),
}
"""What stands at the top, in answer to the start, and around a statement that is one of several."""


def choosing(
    interface: str, thirds: Sequence[str], ends: Sequence[str], *, top: str = ""
) -> dict[str, str]:
    """The files of a program that does one of these statements in each game, as its seed says.

    The first are done when it is asked for the third time, the others after the end.
    """
    at_top, start, choice = _CHOICES[interface]
    each = [choice.format(at=at, text=text) for at, text in enumerate([*thirds, *ends])]
    separator = "\n        " if interface == "stdio-python" else "\n"
    return program(
        interface,
        separator.join(each[: len(thirds)]),
        top=f"{top}\n{at_top}",
        start=start.format(count=len(each)),
        end=separator.join(each[len(thirds) :]),
    )


def deals_of(deeds: Sequence[str]) -> Deals:
    """For each of a program's statements, by its name, a deal in which both seats do it."""

    def fits(seed: bytes) -> int | None:
        first, second = (agent_seed(seed, seat) % len(deeds) for seat in (0, 1))
        return first if first == second else None

    return deals_for(deeds, fits)


def line_of(files: dict[str, str], statement: str) -> str:
    ((name, text),) = files.items()
    line = next(at for at, each in enumerate(text.splitlines(), 1) if statement in each)
    return f"{name}:{line}"

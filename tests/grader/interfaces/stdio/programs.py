"""Programs in three languages that play the last legal action, with something added to them."""

from typing import Final

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


def line_of(files: dict[str, str], statement: str) -> str:
    """File and line of a statement, as faults name them."""
    ((name, text),) = files.items()
    (line,) = [at for at, each in enumerate(text.splitlines(), 1) if statement in each]
    return f"{name}:{line}"

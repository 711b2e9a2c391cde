"""The environment of a program in Python, as plain processes without a sandbox."""

from itertools import cycle

import pytest

from grader.core.records import GameResult
from grader.play.batch import open_batch
from tests.grader.interfaces.stdio.programs import program
from tests.grader.interfaces.stdio.uploads import request_for
from tests.support.archives import archive
from tests.support.every import every
from tests.support.slots import UNCONFINED

pytestmark = pytest.mark.usefixtures("warm_sandboxes")


def played(files: dict[str, str]) -> GameResult:
    request = request_for("stdio-python", 1)
    slot = UNCONFINED
    with open_batch(request, [archive(files)], slot) as batch:
        assert batch.playable, batch.builds
        return next(batch.games())


def said(files: dict[str, str]) -> str:
    result = played(files)
    assert result.evidence is not None
    return result.evidence.stderr


FINDS = {
    "it is the main module": "vars(sys.modules['__main__']) is globals()",
    "its name is its only argument": "sys.argv == [__file__] and __file__.endswith('/main.py')",
    "it has no package": "__spec__ is None and __package__ is None and __loader__ is None",
    "its builtins are there": "isinstance([], __builtins__.list) and __builtins__.exit",
    "standard input is descriptor 0": "sys.stdin.fileno() == 0 and sys.stdin is sys.__stdin__",
    "standard output is descriptor 1": "sys.stdout.fileno() == 1 and sys.stdout is sys.__stdout__",
    "neither is a terminal": "not sys.stdin.isatty() and not sys.stdout.isatty()",
    "text is UTF-8": "sys.stdin.encoding == sys.stdout.encoding == 'utf-8'",
    "its own classes can be pickled": "__import__('pickle').loads(__import__('pickle').dumps(Own))",
}


@every("what", FINDS)
def test_a_program_finds_what_an_interpreter_gives_it(what: str) -> None:
    top = f"class Own: ...\nassert {FINDS[what]}"
    assert played(program("stdio-python", top=top)).record.fault is None


READERS = {
    "input": "while True:\n    line = input()",
    "readline": "while line := sys.stdin.readline():",
    "bytes": "for line in sys.stdin.buffer:",
    "descriptor": "while line := os.read(0, 1 << 16):",
    "opened": "for line in open(0):",
}
WRITERS = {
    "print": "print(text)",
    "write": "sys.stdout.write(text + '\\n')",
    "bytes": "sys.stdout.buffer.write(text.encode() + b'\\n'); sys.stdout.flush()",
    "descriptor": "os.write(1, text.encode() + b'\\n')",
}
PROGRAM = """\
import json, os, sys

{reader}
    message = json.loads(line)
    if message["type"] == "end":
        sys.exit()
    answer = {{"type": "ready"}}
    if message["type"] == "turn":
        answer = {{"type": "action", "turn": message["turn"], "action": message["legal"][-1]}}
    text = json.dumps(answer)
    {writer}
"""


@pytest.mark.parametrize(("reader", "writer"), list(zip(READERS, cycle(WRITERS))))
def test_lines_can_be_read_and_written_in_any_way(reader: str, writer: str) -> None:
    source = PROGRAM.format(reader=READERS[reader], writer=WRITERS[writer])
    assert played({"main.py": source}).record.fault is None


def test_the_message_of_sys_exit_is_printed() -> None:
    files = program("stdio-python", "sys.exit('I give up.')")
    result = played(files)
    assert result.record.fault is not None
    assert "exit status 1" in result.record.fault.detail
    assert "I give up." in said(files)


def test_only_the_programs_own_lines_are_reported() -> None:
    text = said(program("stdio-python", "json.loads('{')"))
    assert 'File "main.py", line' in text
    assert "json/decoder.py" not in text
    assert "/adapter" not in text
    assert "JSONDecodeError" in text.rstrip().splitlines()[-1]


def test_exit_handlers_run() -> None:
    top = "import atexit; atexit.register(lambda: print('Good-bye.', file=sys.stderr))"
    assert "Good-bye." in said(program("stdio-python", "1 / 0", top=top))


def test_a_program_that_is_not_called_main_is_refused_with_advice() -> None:
    request = request_for("stdio-python", 1)
    slot = UNCONFINED
    with open_batch(request, [archive({"bot.py": "print()"})], slot) as batch:
        (message,) = batch.builds[0].messages
    assert "there is no main.py at the top of the submission" in message.text

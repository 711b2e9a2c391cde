"""The changes between two versions, and pairs of files that are made to be slow to compare."""

import time
from collections.abc import Callable

import pytest

from tests.support.every import every
from tests.support.zips import zipped
from webapp.grading.submissions import changes as module
from webapp.grading.submissions.changes import MAX_SHOWN, changes
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Team

Upload = Callable[..., Submission]
AGENT = "".join(f"line {number}\n" for number in range(1, 31))


def version(team: Team, upload: Upload, **files: bytes) -> Submission:
    named = {name.replace("_", "."): data for name, data in files.items()}
    return upload(team, filename="agent.zip", data=zipped(*named.items()))


def test_the_lines_that_changed_are_shown_with_their_neighbours(team: Team, upload: Upload) -> None:
    later = AGENT.replace("line 2\n", "").replace("line 20\n", "line twenty\nmore\n")
    (file,) = changes(upload(team, data=AGENT.encode()), upload(team, data=later.encode()))
    assert (file.name, file.what, file.added, file.removed) == ("mine.py", "changed", 2, 2)
    assert [(passage.folded, len(passage.lines)) for passage in file.passages] == [
        (0, 5),
        (11, 11),
        (0, 9),
        (7, 7),
    ]
    changed = [line for passage in file.passages for line in passage.lines if line.sign != " "]
    assert [(line.sign, line.number, line.text) for line in changed] == [
        ("-", 2, "line 2"),
        ("-", 20, "line 20"),
        ("+", 19, "line twenty"),
        ("+", 20, "more"),
    ]


def test_files_are_added_removed_renamed_and_binary(team: Team, upload: Upload) -> None:
    both = {"agent_py": b"a\n", "w_bin": b"\0" * 9}
    first = version(team, upload, **both, old_py=b"same\n", gone_py=b"x\n", also_py=b"1")
    both |= {"w_bin": b"\0" * 5, "new_py": b"same\n"}
    second = version(team, upload, **both, extra_py=b"2\n3")
    told = {(file.what, file.old_name, file.name, file.sizes) for file in changes(first, second)}
    assert told == {
        ("renamed", "old.py", "new.py", (5, 5)),
        ("removed", "", "gone.py", (2,)),
        ("removed", "", "also.py", (1,)),
        ("added", "", "extra.py", (3,)),
        ("changed", "", "w.bin", (9, 5)),
    }
    assert not changes(first, first)
    (file,) = changes(second, version(team, upload, **both, extra_hs=b"2\n4"))
    assert (file.what, file.added, file.removed) == ("renamed", 1, 1)


HOSTILE = {
    "equal lines": (["a"] * 500_000, ["b", *["a"] * 499_000, "c"]),
    "lines that come again and again": [
        [str(number * number * step % 141) for number in range(20_000)] for step in (1, 7)
    ],
    "every other line": (
        [str(number) for number in range(20_000)],
        ["x", *(str(number) if number % 2 else f"x{number}" for number in range(20_000)), "y"],
    ),
    "the other way round": (
        [str(number) for number in range(20_000)],
        [str(number) for number in reversed(range(20_000))],
    ),
    "one long line": (["a" * 1_000_000], ["b" * 1_000_000]),
}


@pytest.mark.slow
@every("case", HOSTILE)
def test_hostile_files_are_compared_in_a_bounded_time(case: str) -> None:
    before, after = HOSTILE[case]
    began = time.process_time()
    budget = module._Budget()
    file = module._compared(
        "agent.py", "agent.py", "\n".join(before).encode(), "\n".join(after).encode(), budget
    )
    assert time.process_time() - began < 10  # about one; without a limit, hours
    shown = [line for passage in file.passages for line in passage.lines]
    assert len(shown) <= MAX_SHOWN
    assert all(len(line.text) <= 200 for line in shown)


@pytest.mark.parametrize("steps", [60, 30, 0])
def test_with_less_work_more_is_shown_as_replaced_but_nothing_is_wrong(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [str(number) for number in range(20)]
    after = [text if int(text) % 3 else "new" for text in before]
    edits = module._edits(before, after, module._Budget(steps=steps))
    assert [line.text for line in edits if line.sign != "+"] == before
    assert [line.text for line in edits if line.sign != "-"] == after

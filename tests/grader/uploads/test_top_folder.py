"""Archives whose agent lies in a folder at the top, alone or beside other files."""

import pytest

from grader.uploads.archive import read_upload
from tests.support.zips import AGENT, read, rejection, zipped


@pytest.mark.parametrize("name", ["README.md", ".gitignore", "._mine"])
def test_a_folder_with_the_entry_is_the_upload_whatever_files_lie_beside_it(name: str) -> None:
    data = zipped(("mine/agent.py", AGENT), ("mine/lib/a.py", b"1"), (name, b"x"))
    sources = read_upload("agent.zip", data)
    assert {file.name for file in sources.files} == {"agent.py", "lib/a.py"}
    assert sources.notes == [
        f"not used: {name!r}; only files in the folder of the agent's main file are used"
    ]


def test_files_beside_the_folder_are_left_out_of_what_is_stored() -> None:
    beside = (("mine/agent.py", AGENT), ("README.md", b"x"))
    alone = read_upload("agent.zip", zipped(("agent.py", AGENT)))
    assert read_upload("agent.zip", zipped(*beside)).archive() == alone.archive()


def test_folders_beside_an_entry_at_the_top_are_kept() -> None:
    assert set(read(("agent.py", AGENT), ("mine/agent.py", AGENT))) == {"agent.py", "mine/agent.py"}


def test_the_entry_in_two_folders_or_deeper_is_refused() -> None:
    text = rejection(zipped(("mine/agent.py", AGENT), ("old/agent.py", AGENT)))
    assert text == "There is no agent.py at the top of the archive, only 'mine/agent.py'."
    text = rejection(zipped(("mine/src/agent.py", AGENT), ("README.md", b"x")))
    assert text == "There is no agent.py at the top of the archive, only 'mine/src/agent.py'."

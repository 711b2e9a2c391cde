"""The order in which graders serve queues, in every file that starts them."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LANE: Final = re.compile(r"graded,practice[a-z,]*")


def lanes() -> dict[str, str]:
    files = [path for path in (ROOT / "deploy").rglob("*") if path.is_file()]
    files += [ROOT / "grader/worker/tasks.py"]
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8", errors="ignore")
        for path in files
    }
    return {name: lane for name, text in texts.items() for lane in LANE.findall(text)}


def test_ladders_are_served_last_everywhere() -> None:
    found = lanes()
    assert len(found) >= 6
    assert {lane.split(",")[-1] for lane in found.values()} == {"ladder"}, found

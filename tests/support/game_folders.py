"""Folders of games as instructors upload them: the one that ``firebox game new`` writes, edited."""

import hashlib
import json
from pathlib import Path
from typing import Final

from django.utils import timezone

import grader.cli.game.new as new_game
from grader.core.folder_check import GameCheckReport
from grader.uploads.game_folder import read_game_folder
from tests.support import zips
from webapp.grading.game_folders import record_check, request_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, GameFolder

TEMPLATE = Path(new_game.__file__).parent / "template"
RULES = "firebox_tic_tac_toe/__init__.py"


def zipped(*edits: tuple[str, str]) -> bytes:
    """The folder as a zip; each edit replaces some text of the rules, which must be there."""
    files = {
        str(path.relative_to(TEMPLATE)): path.read_text("utf-8")
        for path in sorted(TEMPLATE.rglob("*"))
        if path.suffix in {".py", ".md", ".toml"}
    }
    for old, new in edits:
        assert old in files[RULES], old
        files[RULES] = files[RULES].replace(old, new, 1)
    return zips.zipped(*((f"tic_tac_toe/{name}", text) for name, text in files.items()))


def pig() -> bytes:
    """The stored folder of Pig: dice, which are drawn in rows."""
    rules = Path("deploy/games/firebox_games/pig/__init__.py").read_text("utf-8")
    entry = '[project.entry-points."firebox.games"]\npig = "pig:Pig"\n'
    packed = zips.zipped(("pig/pyproject.toml", entry), ("pig/pig/__init__.py", rules))
    return read_game_folder("pig.zip", packed).archive()


def folder(*edits: tuple[str, str]) -> bytes:
    """The stored folder: what the site hands to graders."""
    return read_game_folder("tic_tac_toe.zip", zipped(*edits)).archive()


def name_of(archive: bytes, own: str = "tic_tac_toe") -> str:
    """The name of its game."""
    return f"uploaded:{own}_{hashlib.sha256(archive).hexdigest()[:16]}"


def beginning(method: str, code: str) -> tuple[str, str]:
    """An edit: the method of the state begins with this code."""
    heads = {
        "observe": (
            '        """All that a seat may know: here the board, row by row, with the seat of'
            ' each mark."""\n'
        ),
        "scores": '        """The result for each seat if the game ended now."""\n',
        "legal_actions": '        """All actions that the seat to act may choose."""\n',
        "text": '        """The table as text."""\n',
        "seat_to_act": '        """The seat whose turn it is; ``None`` at the end."""\n',
        "notate": '        """Write an action in at most 8 characters, for records."""\n',
    }
    return heads[method], heads[method] + "        " + code.replace("\n", "\n        ") + "\n"


FACTS: Final = json.dumps(
    {
        "own_name": "tic_tac_toe",
        "title": "Tic-tac-toe",
        "rules_version": 1,
        "lower_is_better": False,
        "competitive": True,
        "result": "win_draw_loss",
        "unit": "1",
        "hides_nothing": True,
        "chance": "nothing",
        "lost_score": None,
        "lost_reason": "",
        "default_players": 2,
        "endings": {"line": "three in a line", "full": "the board is full"},
        "variant_titles": {"standard": "standard rules"},
        "guide": "Two players put their marks on a board, in turn.",
        "view": None,
        "example": {
            "seat": 0,
            "events": [{"type": "begin"}],
            "observation": {"seat": 0, "to_act": 0, "board": [[None] * 3] * 3},
            "legal": [{"type": "mark", "row": 0, "column": 0}],
        },
        "rules": [
            {
                "variant": "standard",
                "players": 2,
                "options": {"variant": "standard", "players": 2},
                "score_range": [-1, 1],
                "forfeits": [[-1, 1], [1, -1]],
                "distinct_deals": 72,
            }
        ],
    }
)
"""What a sandbox says of it."""


def checked_folder(
    course: Course, by: User, *, sha256: str = "ab" * 32, **facts: object
) -> GameFolder:
    """A folder of the course that has passed its check; nothing is in the store."""
    row = GameFolder.objects.create(
        course=course, uploaded_by=by, uploaded_at=timezone.now(), filename="x.zip", sha256=sha256
    )
    request = request_of(row)
    told = json.dumps(json.loads(FACTS) | facts)
    record_check(GameCheckReport(check=request.check, facts=told, request=request.digest()))
    row.refresh_from_db()
    assert row.is_usable
    return row

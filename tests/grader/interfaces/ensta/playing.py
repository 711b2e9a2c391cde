"""Plays the agents in ``agents/``, in a plain process or in a real sandbox."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.core.records import AgentLimits, BatchRequest, GameResult, Mode
from grader.play.slot import Slot
from tests.grader.interfaces.outcomes import played
from tests.support.agents import practice_request
from tests.support.archives import archive
from tests.support.slots import UNCONFINED, confined

AGENTS = Path(__file__).parent / "agents"
PLAIN = UNCONFINED
BOXED = confined()
OLD_ERA: Mapping[str, Any] = {"empty_hints": True, "strikeout_score": "keep"}
IMPATIENT = AgentLimits(turn_seconds=0.3, turn_wall_seconds=0.9)


def files_of(agent: str) -> dict[str, str]:
    folder = AGENTS / agent
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*.py"))
    }


def robot(*body: str, top: str = "import hanabi") -> dict[str, str]:
    lines = "\n".join(f"        {line}" for line in "\n".join(body).splitlines())
    source = f"{top}\n\nclass Robot(hanabi.ai.AI):\n    def play(self):\n{lines}\n"
    return {"robot.py": source + "        return discard_or_clue(self)\n" + _DISCARD_OR_CLUE}


_DISCARD_OR_CLUE = """
def discard_or_clue(self):
    game = self.game
    return "d1" if game.blue_coins < 8 else f"c{game.hands[1].cards[0].number}"
"""


def request(
    games: int,
    *,
    players: int = 2,
    mode: Mode | None = None,
    limits: AgentLimits | None = None,
    seating: tuple[int, ...] = (),
    **options: Any,
) -> BatchRequest:
    """Games of one agent with itself, or of several as the seating says."""
    seating = seating or (0,) * players
    options = {"players": len(seating), "seating": seating, **options}
    interfaces = ["ensta-python"] * (max(seating) + 1)
    return practice_request(interfaces, range(games), mode=mode, limits=limits, **options)


def play(
    files: Mapping[str, str],
    asked: BatchRequest | None = None,
    *others: Mapping[str, str],
    slot: Slot = PLAIN,
) -> list[GameResult]:
    """Build the submissions and play what is asked for, by default one game of two."""
    return played(asked or request(1), [archive(each) for each in (files, *others)], slot)


def play_one(
    files: Mapping[str, str], asked: BatchRequest | None = None, *, slot: Slot = PLAIN
) -> GameResult:
    (result,) = play(files, asked, slot=slot)
    return result

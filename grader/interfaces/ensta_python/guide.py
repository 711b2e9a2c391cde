"""The guide's page on ``ensta-python``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import IN_PYTHON, Consequence, InterfaceGuide

GUIDE: Final = InterfaceGuide(
    title="Python, module hanabi",
    summary="As at ENSTA Paris: the module, a whole robot, the two modes, what differs.",
    consequences={
        **IN_PYTHON,
        "move": Consequence(
            "The same move that is not valid, again and again.",
            "``play()`` is asked again, 1000 times at most. The page says which move, and what"
            " was wrong with it.",
            FaultKind.ILLEGAL,
        ),
        "moves": Consequence(
            "Ever other moves that are not valid.",
            "``play()`` is asked again until the turn’s time is over. The page says how"
            " often, and what was wrong with the last move.",
            FaultKind.TIMEOUT,
        ),
        "none": Consequence(
            "``play()`` returns ``None`` or anything else that is no text.",
            "The page says what it returned.",
            FaultKind.CRASH,
        ),
    },
)

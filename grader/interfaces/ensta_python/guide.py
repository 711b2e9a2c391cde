"""The guide's page on ``ensta-python``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import IN_PYTHON, InterfaceGuide, OptionConsequence

GUIDE: Final = InterfaceGuide(
    title="Python, module hanabi",
    summary="As at ENSTA Paris: the module, a whole robot, the two modes, what differs.",
    consequences={
        **IN_PYTHON,
        "input": OptionConsequence(
            "``input()``.",
            "``EOFError``. If the agent does not catch it, the game ends with its score, as in the"
            " course.",
            None,
        ),
        "move": OptionConsequence(
            "The same invalid move again and again.",
            "``play()`` is called again, 1000 times at most. The page shows the move, and why it"
            " was invalid.",
            FaultKind.ILLEGAL,
        ),
        "moves": OptionConsequence(
            "Different invalid moves without end.",
            "``play()`` is called again until the turn’s time is over. The page says how"
            " often, and why the last move was invalid.",
            FaultKind.TIMEOUT,
        ),
        "none": OptionConsequence(
            "``play()`` returns ``None`` or anything else that is not text.",
            "The page says what it returned.",
            FaultKind.CRASH,
        ),
    },
)

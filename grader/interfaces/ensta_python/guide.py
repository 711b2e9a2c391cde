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
            "``EOFError``. Uncaught, the game ends with its score, as in the course.",
            None,
        ),
        "move": OptionConsequence(
            "The same invalid move again and again.",
            "``play()`` is called again, 1,000 times at most. The move, and why it was invalid.",
            FaultKind.ILLEGAL,
        ),
        "moves": OptionConsequence(
            "Different invalid moves without end.",
            "``play()`` is called again until the turn’s time is over. How often, and why the last"
            " move was invalid.",
            FaultKind.TIMEOUT,
        ),
        "none": OptionConsequence(
            "``play()`` returns something that is not text, such as ``None``.",
            "What it returned.",
            FaultKind.CRASH,
        ),
    },
)

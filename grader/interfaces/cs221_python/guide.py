"""The guide's page on ``cs221-python``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import IN_PYTHON, InterfaceGuide, OptionConsequence

GUIDE: Final = InterfaceGuide(
    title="Python, simulator of Lin and Xu",
    summary="In Python 3 or 2: the types, a whole agent, the paper’s figures beside ours.",
    consequences={
        **IN_PYTHON,
        "illegal": OptionConsequence(
            "An action that is not among ``getLegalActions``.",
            "The page says which.",
            FaultKind.ILLEGAL,
        ),
        "none": OptionConsequence(
            "``getAction`` returns ``None`` or anything else that is not an action.",
            "The page says what it returned, and what an action looks like.",
            FaultKind.CRASH,
        ),
    },
)

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
            "Which it was.",
            FaultKind.ILLEGAL,
        ),
        "none": OptionConsequence(
            "``getAction`` returns something that is not an action, such as ``None``.",
            "What it returned, and what an action looks like.",
            FaultKind.CRASH,
        ),
    },
)

"""The guide's page on ``python``, beside its prose."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    title="Python agents",
    summary="The class you write and what it is given.",
)

"""The guide's page on ``referee-python``, beside its prose."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    title="Python agents with action and update",
    summary="A class that is asked for its action and told what everybody did.",
)

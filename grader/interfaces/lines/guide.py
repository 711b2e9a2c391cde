"""The guide's page on programs with a game's own lines, beside its prose."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    title="Programs with a game’s own lines",
    summary="Engines for tournaments and contest sites, unmodified.",
)

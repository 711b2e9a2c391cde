"""The row for ``stdio-java`` on the guide's page on the wire protocol."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    entry="``public static void main(String[])``; if several classes have one, that of ``Main``."
    " Every ``.java`` file of a zip is compiled.",
    provided="Java 17, and ``com.google.gson``.",
)

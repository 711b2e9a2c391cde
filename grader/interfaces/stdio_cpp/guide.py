"""The row for ``stdio-cpp`` on the guide's page on the wire protocol."""

from typing import Final

from grader.interfaces.guide import InterfaceGuide

GUIDE: Final = InterfaceGuide(
    entry="``main``. Every ``.cpp``, ``.cc`` and ``.cxx`` of a zip is compiled by itself and"
    " linked.",
    provided="GCC with ``-std=c++17 -O2``, and ``<nlohmann/json.hpp>``.",
)

"""The guide's page on ``fit2102-haskell``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    IF_UNCAUGHT,
    LOGGED,
    OUT_OF_MEMORY,
    Consequence,
    InterfaceGuide,
)

GUIDE: Final = InterfaceGuide(
    title="Haskell, Player.hs",
    summary="Hearts as in FIT2102 of Monash University: the types, a whole player, what differs.",
    consequences={
        "thread": Consequence(
            "Starting a thread of the system or a program, by a foreign import.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "own": Consequence(
            "``forkIO``.", "Such a thread runs during your turns only, and is charged.", None
        ),
        "file": Consequence(
            "Opening a file, by ``unsafePerformIO``.",
            f"``IOException``. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "print": Consequence("``Debug.Trace``.", LOGGED, None),
        "illegal": Consequence(
            "A card that the rules do not allow, or that is not in the hand.",
            "The page says which, and why.",
            FaultKind.ILLEGAL,
        ),
        "exception": Consequence(
            "``error``, ``head []``, a pattern that does not match.",
            "The message, and where it was thrown.",
            FaultKind.CRASH,
        ),
        "memory text": Consequence(
            "More than 64 KiB to remember, or a text without end.",
            "That it was too long is told.",
            FaultKind.CRASH,
        ),
        "loop": Consequence(
            "A computation without end.",
            "The page says where it was, as far as that is known.",
            FaultKind.TIMEOUT,
        ),
        "memory": Consequence("More memory than there is.", OUT_OF_MEMORY, FaultKind.MEMORY),
    },
)

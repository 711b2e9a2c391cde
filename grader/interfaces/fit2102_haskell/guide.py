"""The guide's page on ``fit2102-haskell``, beside its prose."""

from typing import Final

from grader.core.records import FaultKind
from grader.interfaces.guide import (
    ENDED_AT_ONCE,
    EXCESSIVE_MEMORY,
    IF_UNCAUGHT,
    LOGGED,
    OUT_OF_MEMORY,
    InterfaceGuide,
    OptionConsequence,
)

GUIDE: Final = InterfaceGuide(
    title="Haskell, Player.hs",
    summary="Hearts as in FIT2102 of Monash University: the types, a whole player, what differs.",
    consequences={
        "thread": OptionConsequence(
            "Starting an operating-system thread or a program, by a foreign import.",
            ENDED_AT_ONCE,
            FaultKind.FORBIDDEN,
        ),
        "own": OptionConsequence(
            "``forkIO``.", "Such a thread runs during your turns only, and is charged.", None
        ),
        "file": OptionConsequence(
            "Opening a file, by ``unsafePerformIO``.",
            f"``IOException``. {IF_UNCAUGHT}",
            FaultKind.CRASH,
        ),
        "print": OptionConsequence("``Debug.Trace``.", LOGGED, None),
        "illegal": OptionConsequence(
            "A card that the rules do not allow, or that is not in the hand.",
            "Which card, and why.",
            FaultKind.ILLEGAL,
        ),
        "exception": OptionConsequence(
            "``error``, ``head []``, a pattern that does not match.",
            "The message, and where it was thrown.",
            FaultKind.CRASH,
        ),
        "memory text": OptionConsequence(
            "A text to remember that is longer than 64 KiB, or infinite.",
            "That it was too long.",
            FaultKind.CRASH,
        ),
        "loop": OptionConsequence(
            "An endless computation.",
            "Where it was, if that is known.",
            FaultKind.TIMEOUT,
        ),
        "memory": OptionConsequence(EXCESSIVE_MEMORY, OUT_OF_MEMORY, FaultKind.MEMORY),
    },
)

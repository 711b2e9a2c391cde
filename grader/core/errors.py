"""The grader's exceptions. An agent's mistake is never one of them: that is a Fault, a value.

GraderError
├── RulesError        options that no game can be played with; the message says what is allowed
├── IllegalAction   an action the rules refuse in this state (the referee turns it into a Fault)
├── GamePackageError  an installed package whose game cannot be used; whoever installed it must act
├── GameFault       uploaded rules that failed; whoever uploaded them must act, no agent is to blame
├── SchemeError     a grading scheme that contradicts itself; the message says how
├── PlanError       a tournament that cannot be planned; the message says why
├── RecordError     a record, request or result that cannot be read or does not replay
├── UploadRejected  an uploaded file that we refuse, with the reason and what to do
└── SystemFault     our infrastructure failed; retried, never charged to an agent
"""


class GraderError(Exception):
    """Everything the grader raises on purpose."""


class RulesError(GraderError, ValueError):
    """Game options that are unknown, of the wrong type or out of range."""

    def __init__(self, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.option = option
        """The name of the option whose value is refused; empty if no single one is."""


class IllegalAction(GraderError, ValueError):  # noqa: N818 - the rules' own word for it
    """An action that the rules do not allow in the present state."""


class GamePackageError(GraderError, ImportError):
    """An installed package that offers a game which cannot be used."""


class GameFault(GraderError):  # noqa: N818 - the opposite of an agent's fault, and called so
    """The rules of an uploaded folder crashed, hung or contradicted themselves in their sandbox."""


class SchemeError(GraderError, ValueError):
    """A grading scheme whose numbers contradict one another."""


class PlanError(GraderError, ValueError):
    """Settings of a tournament that contradict one another, or that too few take part in."""


class RecordError(GraderError, ValueError):
    """A record, request or result that is malformed or contradicts the rules."""


class UploadRejected(GraderError, ValueError):  # noqa: N818 - what happened to the upload
    """An upload that is refused before any part is written."""

    def __init__(self, reason: str, hint: str, *, left_out: str = "") -> None:
        reason = f"{reason} {left_out}".rstrip()
        super().__init__(f"{reason} {hint}")
        self.reason = reason
        """The error, as a sentence, with the name of the entry concerned."""
        self.left_out = left_out
        """Its last sentence, if files were left out that may be missing."""
        self.hint = hint
        """The remedy for the student, as a sentence."""


class SystemFault(GraderError):  # noqa: N818 - the opposite of an agent's fault, and called so
    """A failure of ours: the host, Docker, the store. Never the agent's fault."""

"""The grader's exceptions. An agent's mistake is never one of them: that is a Fault, a value.

GraderError
├── RulesError      options that no game can be played with; the message says what is allowed
├── IllegalAction   an action the rules refuse in this state (the referee turns it into a Fault)
├── RecordError     a record, request or result that cannot be read or does not replay
└── SystemFault     our infrastructure failed; retried, never charged to an agent
"""


class GraderError(Exception):
    """Everything the grader raises on purpose."""


class RulesError(GraderError, ValueError):
    """Game options that are unknown, of the wrong type or out of range."""


class IllegalAction(GraderError, ValueError):  # noqa: N818 - the rules' own word for it
    """An action that the rules do not allow in the present state."""


class RecordError(GraderError, ValueError):
    """A record, request or result that is malformed or contradicts the rules."""


class SystemFault(GraderError):  # noqa: N818 - the opposite of an agent's fault, and called so
    """Something of ours broke: the host, Docker, the store. Never the agent's doing."""

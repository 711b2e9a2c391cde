"""The sandbox's exceptions: all of them mean that the host or we are at fault, never the agent.

SandboxError
├── HostError       the host cannot run sandboxes as asked: Docker is away, a limit is unsupported
├── ImageMissing    the runtime's image is not on this host; ``make images`` builds it
├── SandboxLost     a container or its supervisor went away while it was needed
└── LimitError      limits outside the bounds that the sandbox supports
"""


class SandboxError(Exception):
    """The base of all exceptions that the sandbox raises on purpose."""


class HostError(SandboxError):
    """The host does not offer what the sandbox needs; the message says how to fix it."""


class ImageMissing(HostError):  # noqa: N818 - names the state, reads better where caught
    """The image of a runtime has not been built on this host, or is out of date."""


class SandboxLost(SandboxError):  # noqa: N818 - names the event
    """The container, or the trusted supervisor in it, ended unasked."""


class LimitError(SandboxError, ValueError):
    """A limit is outside its documented bounds."""

"""Runs one untrusted program per seat, many games a container; knows no games and no queues.

Other packages use the names below and no others. ``README.md`` begins with an example. A name's
module is imported when the name is first used: to import this package must not import Docker.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sandbox.check import HostCheck, run_checks
    from sandbox.clock import ProcessClock
    from sandbox.container import (
        ContainerSandbox,
        open_container,
        owned_containers,
        owned_users,
        reap_containers,
    )
    from sandbox.container_spec import oci_runtime
    from sandbox.control import Build, Sandbox
    from sandbox.engine import await_engine, await_engine_loss, disconnect, has_image
    from sandbox.errors import HostError, ImageMissing, LimitError, SandboxError, SandboxLost
    from sandbox.exits import STATUS_OURS, STATUS_UNLOADABLE, Exit, ExitKind, StderrDrain
    from sandbox.images import IMAGES, ensure_image, image_reference
    from sandbox.limits import Limits
    from sandbox.open_sandbox import OpenSandbox
    from sandbox.plain import PlainSandbox, open_plain
    from sandbox.process import AgentProcess
    from sandbox.program import Adapter, Program, Purpose, Runtime
    from sandbox.scratch import (
        make_scratch,
        owned_scratch,
        owner,
        reap_scratch,
        remove_scratch,
        scratch_free_share,
    )
    from sandbox.timeouts import AskFailure, AskFailureKind

__all__ = [
    "IMAGES",
    "STATUS_OURS",
    "STATUS_UNLOADABLE",
    "Adapter",
    "AgentProcess",
    "AskFailure",
    "AskFailureKind",
    "Build",
    "ContainerSandbox",
    "Exit",
    "ExitKind",
    "HostCheck",
    "HostError",
    "ImageMissing",
    "LimitError",
    "Limits",
    "OpenSandbox",
    "PlainSandbox",
    "ProcessClock",
    "Program",
    "Purpose",
    "Runtime",
    "Sandbox",
    "SandboxError",
    "SandboxLost",
    "StderrDrain",
    "await_engine",
    "await_engine_loss",
    "disconnect",
    "ensure_image",
    "has_image",
    "image_reference",
    "make_scratch",
    "oci_runtime",
    "open_container",
    "open_plain",
    "owned_containers",
    "owned_scratch",
    "owned_users",
    "owner",
    "reap_containers",
    "reap_scratch",
    "remove_scratch",
    "run_checks",
    "scratch_free_share",
]

_MODULES: Final = {
    "check": ("HostCheck", "run_checks"),
    "clock": ("ProcessClock",),
    "container": (
        "ContainerSandbox", "open_container", "owned_containers", "owned_users",
        "reap_containers",
    ),
    "container_spec": ("oci_runtime",),
    "control": ("Build", "Sandbox"),
    "engine": ("await_engine", "await_engine_loss", "disconnect", "has_image"),
    "errors": ("HostError", "ImageMissing", "LimitError", "SandboxError", "SandboxLost"),
    "exits": ("STATUS_OURS", "STATUS_UNLOADABLE", "Exit", "ExitKind", "StderrDrain"),
    "images": ("IMAGES", "ensure_image", "image_reference"),
    "limits": ("Limits",),
    "timeouts": ("AskFailure", "AskFailureKind"),
    "open_sandbox": ("OpenSandbox",),
    "plain": ("PlainSandbox", "open_plain"),
    "process": ("AgentProcess",),
    "program": ("Adapter", "Program", "Purpose", "Runtime"),
    "scratch": (
        "make_scratch", "owned_scratch", "owner", "reap_scratch", "remove_scratch",
        "scratch_free_share",
    ),
}  # fmt: skip

if not TYPE_CHECKING:  # else every name would have a type

    def __getattr__(name: str) -> Any:
        """Return a public name. Raises AttributeError for any other."""
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

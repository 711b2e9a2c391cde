"""The agents of a batch, and how they are compiled: in a builder, or in one of their sandboxes."""

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path

from grader.core.records import AgentLimits, AgentRef, BuildReport
from grader.interfaces import BUILD_OUTPUT_BYTES, BUILDER_MIB, Interface, interface_named
from grader.play.build_cache import Built
from grader.play.debug import debug_limits
from grader.play.sandbox_cache import SandboxKey, sandbox_key
from grader.play.slot import Slot
from grader.uploads.build_output import read_build
from sandbox.control import Build
from sandbox.errors import HostError
from sandbox.exits import STATUS_OURS
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.program import Program, Purpose


class BatchAgent:
    """An agent as this slot plays it: what its sandboxes are opened with."""

    def __init__(
        self,
        ref: AgentRef,
        limits: AgentLimits,
        archive: bytes,
        sources: Path,
        slot: Slot,
        *,
        reusable: bool,
    ) -> None:
        """``sources`` is the archive, unpacked. ``reusable``: a process may play several games."""
        self.ref = ref
        self.sources = sources
        self.artefact = b""
        """The outcome of its build; empty before."""
        self.interface = interface_named(ref.interface).fitted(
            ref.options, sources, sandboxed=slot.sandboxed
        )
        self._archive = archive
        self._slot = slot
        adapter = self.interface.adapter
        self._adapter = replace(
            adapter,
            build=self.interface.build.debug if slot.debug else adapter.build,
            reusable=adapter.reusable and reusable,
        )
        self.limits = self._limits(limits)
        """The request's limits, plus what the runtime of the agent's language takes."""

    def program(self, *, builds: bool = False) -> Program:
        """Return what runs in a sandbox of this agent, or in its builder."""
        plays = Purpose.DEBUG if self._slot.debug else Purpose.PLAY
        return Program(
            runtime=self.interface.runtime,
            adapter=self._adapter,
            purpose=Purpose.BUILD if builds else plays,
            sources=self.sources,
            artefact=self.artefact,
        )

    @property
    def key(self) -> SandboxKey:
        """The key under which its sandboxes wait for later batches."""
        return sandbox_key(
            self.program(), self._digest, self.ref.options, self.limits, self._slot.core
        )

    @property
    def has_builder(self) -> bool:
        """True if it is compiled in a sandbox that is only for this."""
        return bool(self.interface.runtime.builder)

    def compile(self, build: Callable[[], Built]) -> BuildReport:
        """Compile it with ``build``, unless it was compiled before."""
        slot = self._slot
        if slot.sandboxed and slot.builds is not None:
            made = slot.builds.built(self.interface, self._archive, build, debug=slot.debug)
        else:
            made = build()
        report, self.artefact = made
        return report

    def built_in_builder(self) -> Built:
        """Compile it in a builder."""
        limits = replace(self.limits, memory_mib=BUILDER_MIB)
        with closing(self._slot.open_sandbox(self.program(builds=True), limits)) as builder:
            return self.built_in(builder)

    def built_in(self, opened: OpenSandbox) -> Built:
        """Compile it in an open sandbox."""
        interface = self.interface
        build = _run_build(opened, interface.build.seconds)
        if self.has_builder and build.exit.status == STATUS_OURS:
            raise HostError(
                f"the image {interface.runtime.builder}: {build.exit.stderr.strip()[-200:]}"
            )
        made = read_build(build)
        is_tried = interface.build.trial_seconds > 0 and made[0].ok and not self._slot.debug
        return _tried(opened, interface, made) if is_tried else made

    @cached_property
    def _digest(self) -> bytes:
        return hashlib.sha256(self._archive).digest()

    def _limits(self, limits: AgentLimits) -> Limits:
        limits = replace(
            limits,
            memory_mib=limits.memory_mib + self.interface.allowance.memory_mib,
            start_seconds=limits.start_seconds + self.interface.allowance.start_seconds,
        )
        return Limits(**asdict(debug_limits(limits) if self._slot.debug else limits))


def _tried(opened: OpenSandbox, interface: Interface, made: Built) -> Built:
    """Return the second build's result, or the first's: a failed trial is not a fault."""
    opened.put_artefact(made[1])
    tried = read_build(_run_build(opened, interface.build.trial_seconds))
    return tried if tried[0].ok else made


def _run_build(opened: OpenSandbox, seconds: float) -> Build:
    """Build once. Raises HostError if files were removed: the outcome may lack some of them."""
    build = opened.sandbox.build(seconds=seconds, output_bytes=BUILD_OUTPUT_BYTES)
    opened.directory.require_whole()
    return build

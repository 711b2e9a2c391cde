"""The subjects of the benchmark: agents, and the three ways to run them."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Final

from grader.core.games import DEFAULT_GAME
from grader.house import agent as house_agent
from grader.house import bundle
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES
from grader.uploads.archive import read_upload

_AGENTS = Path(__file__).parent / "agents"
LIGHT: Final = INTERFACES[DEFAULT_INTERFACE].folder / "bench" / DEFAULT_GAME / "light" / "agent.py"
"""The source of ``light``."""


class Arrangement(StrEnum):
    """A way to run agents."""

    DIRECT = "direct"
    """Called in this process: no pipes, no JSON, no isolation."""
    FORKED = "forked"
    """A process forked per game and seat, over pipes, with nothing around it."""
    SANDBOXED = "sandboxed"
    """The same agents in sandboxes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """An agent to measure with."""

    name: str
    archive: Callable[[], bytes]
    agent_class: Callable[[], type]


def light() -> Contender:
    """An agent without thoughts: shows what everything around an agent costs."""
    return from_file(LIGHT)


def from_file(path: Path) -> Contender:
    """An agent in a file."""
    return _from_source(path.parent.name, path.read_text())


def busy(turn_microseconds: int) -> Contender:
    """The light agent, computing for a fixed time each turn."""
    source = (_AGENTS / "busy.py").read_text()
    source = source.replace("TURN_MICROSECONDS = 200", f"TURN_MICROSECONDS = {turn_microseconds}")
    return _from_source(f"{turn_microseconds} µs a turn", source)


def house(name: str) -> Contender:
    """A house agent."""
    return Contender(name=name, archive=lambda: bundle(name), agent_class=lambda: house_agent(name))


def _from_source(name: str, source: str) -> Contender:
    def agent_class() -> type:
        module = _module(source)
        agent: type = module.Agent
        return agent

    return Contender(
        name=name,
        archive=lambda: read_upload("agent.py", source.encode()).archive(),
        agent_class=agent_class,
    )


def _module(source: str) -> ModuleType:
    specification = importlib.util.spec_from_loader("bench_agent", loader=None)
    assert specification is not None  # noqa: S101 - a name and no loader always give one
    module = importlib.util.module_from_spec(specification)
    exec(compile(source, "bench_agent", "exec"), vars(module))  # noqa: S102 - our own file
    return module

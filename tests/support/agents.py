"""Agents for tests: sources of a few lines, packed as a submission is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.core.deals import PRACTICE_SECRET
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, Mode
from grader.interfaces import interface_named
from grader.results.evaluation import EvaluationSpec, batch_request
from grader.uploads.archive import read_upload

NOBODY = "0" * 64
"""A hash for agents whose sources are handed over directly."""

STEADY = """
from firebox import Agent

class Steady(Agent):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
"""Plays the last legal action: hints while it can, then discards. Never at fault."""


def agent(act: str, *, top: str = "", start: str = "pass") -> str:
    """Source of an agent with these statements as the body of ``act`` (which may return None)."""

    def indented(text: str) -> str:
        return "\n".join(f"        {line}" for line in text.strip("\n").splitlines())

    return f"""
import time
from firebox import Agent
{top}

class Made(Agent):
    def start(self, context):
        self.context = context
{indented(start)}

    def act(self, observation):
{indented(act)}
        return observation.legal_actions[-1]
"""


def packed(source: str) -> bytes:
    """The archive of an uploaded ``agent.py`` with this source."""
    return read_upload("agent.py", source.encode()).archive()


def request_for(
    games: Iterable[int],
    *,
    players: int = 2,
    limits: AgentLimits | None = None,
    seating: Sequence[int] | None = None,
    sha256: Sequence[str] = (NOBODY,),
    max_consecutive_faults: int = 0,
    evaluation: str = "evaluation",
    batch: str = "batch",
) -> BatchRequest:
    """Ask for games of standard Hanabi on the practice deals."""
    indices = list(games)
    spec = EvaluationSpec(
        game="hanabi",
        options={"variant": "standard", "players": players},
        limits=limits or AgentLimits(),
        seating=tuple(seating or (0,) * players),
        n_games=len(indices),
        max_consecutive_faults=max_consecutive_faults,
    )
    return batch_request(
        spec,
        evaluation=evaluation,
        batch=batch,
        agents=[AgentRef(interface="python", sha256=each) for each in sha256],
        secret=PRACTICE_SECRET,
        indices=indices,
    )


def practice_request(
    interfaces: Sequence[str],
    indices: Iterable[int],
    *,
    game: str = "hanabi",
    seating: Sequence[int] = (),
    limits: AgentLimits | None = None,
    mode: Mode | None = None,
    agent_options: Sequence[str] = (),
    **options: object,
) -> BatchRequest:
    """Ask for games on the practice deals, which no faults stop, with an agent for each interface.

    ``options`` of the rules change those that the first interface's agents were written for. One
    agent plays at every seat unless ``seating`` says otherwise; it has ``agent_options``.
    """
    numbers = list(indices)
    if variant := interface_named(interfaces[0]).rules.variant:
        options = {"variant": variant, **options}
    rules = game_from_options(game, options)
    spec = EvaluationSpec(
        game=game,
        options=dict(rules.options),
        limits=limits or AgentLimits(),
        seating=tuple(seating or (0,) * rules.seats),
        n_games=len(numbers),
        max_consecutive_faults=0,
        mode=mode,
    )
    first, *others = (AgentRef(interface=interface, sha256=NOBODY) for interface in interfaces)
    return batch_request(
        spec,
        evaluation="practice",
        batch="practice",
        agents=[replace(first, options=tuple(agent_options)), *others],
        secret=PRACTICE_SECRET,
        indices=numbers,
    )

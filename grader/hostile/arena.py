"""Plays hostile agents in real sandboxes and finds everything that is wrong afterwards."""

import hashlib
import os
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from grader.core.games import Game, game_from_options
from grader.core.records import AgentLimits, AgentRef, BatchRequest, GameRequest, GameResult, Record
from grader.hostile.hostile_programs import LANGUAGES, HostileProgram, Language, load
from grader.play.batch import open_batch
from grader.play.players import play_locally
from grader.play.slot import Slot
from sandbox.container import owned_containers, owned_users
from sandbox.engine import disconnect
from sandbox.scratch import owned_scratch, owner

SEATS: Final = 2
PYTHON: Final = LANGUAGES[".py"]
GONE_SECONDS: Final = 10.0
"""The time that Docker may take to remove a container."""
_POLL_SECONDS: Final = 0.05
WORKER_MAY_GROW_MIB: Final = 64
"""By how much the worker's resident memory may grow over a batch."""
WORKER_MAY_OPEN: Final = 0
"""The number of descriptors that the worker may gain over a batch."""
_KEPT_OF_STDERR: Final = 70 << 10
"""Characters: the quota of 64 KiB, and the line about omitted text."""
_KEPT_OF_REPLY: Final = 4 * 4096
"""Characters: 4 KiB, each byte escaped."""


@dataclass(slots=True, kw_only=True)
class AttackOutcome:
    """The results of one agent's batch."""

    hostile_program: HostileProgram
    build_ok: bool = True
    armed: list[GameResult] = field(default_factory=list)
    honest: list[GameResult] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    """Traces of the batch on the host, once Docker had its time to forget."""
    seconds: float = 0.0
    grown_mib: float = 0.0
    """By how much the resident memory of this process, the worker, grew."""
    opened: int = 0
    """The number of descriptors that it gained."""

    @property
    def verdicts(self) -> list[str]:
        """One per armed game; ``rejected`` if there was none."""
        return [verdict(result.record) for result in self.armed] if self.build_ok else ["rejected"]

    def details(self) -> list[str]:
        """Details of the faults, and figures that tell a slow agent from a slow host."""
        results = self.armed + self.honest
        return [_fault_words(result) for result in results if result.record.fault is not None]


def _fault_words(result: GameResult) -> str:
    fault = result.record.fault
    if fault is None:
        return "no fault"
    other = result.other_attempt
    again = "" if other is None else f"; its other play: {verdict(other)}"
    used = ", ".join(f"{us / 1e6:.3f}" for us in result.cpu_us)
    return f"{fault.kind}: {fault.detail}{again} (processor time of the seats: {used} s)"


def verdict(record: Record) -> str:
    """The word for how a game ended."""
    return "contained" if record.fault is None else str(record.fault.kind)


def play(
    hostile_program: HostileProgram, *, repeats: int, slot: Slot, partner: bytes = b""
) -> AttackOutcome:
    """Play a batch with the agent in every seat: armed games, then as many honest ones.

    With the sources of a ``partner``, in Python and honest, the agent has only the first seat.
    """
    outcome = AttackOutcome(hostile_program=hostile_program)
    plan = [True] * repeats if hostile_program.always_armed else [True, False] * repeats
    containers: set[str] = set()
    before = _held_now(owned_containers()) if slot.sandboxed else set()
    began, resident, held = time.monotonic(), resident_mib(), _descriptors()
    asked = request(hostile_program, plan, against=(PYTHON,) if partner else ())
    archives = [hostile_program.archive(), *([partner] if partner else [])]
    with open_batch(asked, archives, slot) as batch:
        outcome.build_ok = batch.playable
        containers = owned_containers() if slot.sandboxed else set()
        for result in batch.games():
            (outcome.armed if plan[result.index] else outcome.honest).append(result)
    outcome.seconds = time.monotonic() - began
    outcome.grown_mib = resident_mib() - resident
    outcome.opened = _descriptors() - held
    if slot.sandboxed:
        outcome.left_over = left_over(containers, before)
    return outcome


def deviations(outcome: AttackOutcome) -> list[str]:
    """Everything that is not as it should be, in sentences; nothing if the sandbox holds."""
    return [
        *_wrong_verdicts(outcome),
        *(detail for detail in outcome.details() if "ESCAPED" in detail),
        *_disturbed(outcome),
        *_unbounded(outcome),
        *(f"left behind: {thing}" for thing in outcome.left_over),
    ]


def rules(language: Language) -> Game:
    """Return the rules for agents in a language."""
    return game_from_options(language.game, _options(language))


def _options(language: Language) -> dict[str, Any]:
    length = {"hands": language.spec.hands} if language.spec.hands else {}
    return {"variant": language.variant, "players": SEATS, **length}


def request(
    hostile_program: HostileProgram, plan: Sequence[bool], against: Sequence[Language] = ()
) -> BatchRequest:
    """A batch with an armed or an honest game for each entry of the plan."""
    language = hostile_program.language
    seeds = list(deal_seeds(plan, language))
    return batch_request(hostile_program.limits, seeds, language, against)


def batch_request(
    limits: AgentLimits,
    seeds: Sequence[str],
    language: Language = PYTHON,
    against: Sequence[Language] = (),
) -> BatchRequest:
    """A batch of one agent on these deals, which no faults stop.

    It plays against itself, or against one agent in each of these languages.
    """
    agents = tuple(
        AgentRef(interface=each.interface, sha256=f"{number:064}")
        for number, each in enumerate((language, *against))
    )
    return BatchRequest(
        evaluation="hostile",
        batch="hostile",
        game=language.game,
        options=_options(language),
        limits=limits,
        agents=agents,
        seating=(0,) * SEATS if len(agents) == 1 else tuple(range(SEATS)),
        games=tuple(GameRequest(index=index, deal_seed=seed) for index, seed in enumerate(seeds)),
        max_consecutive_faults=0,
        check_first=True,
    )


def deal_seeds(plan: Sequence[bool], language: Language = PYTHON) -> Iterator[str]:
    """Deal seeds by which every seat is armed, or none."""
    game = rules(language)
    number = 0
    for armed in plan:
        while True:
            number += 1
            seed = hashlib.sha256(b"hostile %d" % number).digest()
            if all(language.spec.is_armed(game, seed, seat) == armed for seat in range(SEATS)):
                break
        yield seed.hex()


def honest_actions(hostile_program: HostileProgram, results: Sequence[GameResult]) -> list[str]:
    """Return the actions of these games without an attack: played in this process, by Python's kit.

    The kits of all languages play alike.
    """
    orders = [GameRequest(index=0, deal_seed=result.record.deal_seed) for result in results]
    honest = load(hostile_program.suite / PYTHON.kit).honest

    class Honest:
        def act(self, observation: Any) -> Any:
            return honest(observation)

    played = play_locally(rules(hostile_program.language), orders, [Honest] * SEATS)
    return [record.actions for record in played]


def resident_mib() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


def left_over(containers: set[str], before: Set[str] = frozenset()) -> list[str]:
    """Find what this process holds on the host and did not ``before``, once Docker could forget."""
    deadline = time.monotonic() + GONE_SECONDS
    while (left := _held_now(containers) - before) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
    return sorted(left)


def _wrong_verdicts(outcome: AttackOutcome) -> Iterator[str]:
    declared = outcome.hostile_program.verdict
    wrong = [word for word in outcome.verdicts if word != declared]
    if wrong:
        evidence = "; ".join(dict.fromkeys(outcome.details()))[:400]
        yield f"{len(wrong)} of {len(outcome.verdicts)} verdicts are {wrong[0]}: {evidence}"


def _disturbed(outcome: AttackOutcome) -> Iterator[str]:
    hostile_program = outcome.hostile_program
    contained = [result for result in outcome.armed if result.record.fault is None]
    for name, results in (("the next game", outcome.honest), ("its own game", contained)):
        if [result.record.actions for result in results] != honest_actions(
            hostile_program, results
        ):
            yield f"{name} went another way than undisturbed"


def _unbounded(outcome: AttackOutcome) -> Iterator[str]:
    if outcome.grown_mib > WORKER_MAY_GROW_MIB:
        yield f"the worker grew by {outcome.grown_mib:.0f} MiB"
    if outcome.opened > WORKER_MAY_OPEN:
        yield f"the worker holds {outcome.opened} more descriptors"
    for result in outcome.armed:
        kept = result.evidence
        if kept and (len(kept.stderr) > _KEPT_OF_STDERR or len(kept.received) > _KEPT_OF_REPLY):
            yield f"kept {len(kept.stderr)} and {len(kept.received)} characters as evidence"


def _held_now(containers: set[str]) -> set[str]:
    return {
        *(f"container {container}" for container in owned_containers()),
        *(f"directory {path}" for path in owned_scratch()),
        *(f"mount {mount}" for mount in _mounts() if _mentions(mount, containers)),
        *(f"process {pid}" for pid in _processes_of_containers()),
    }


def _descriptors() -> int:
    """Return how many the worker has open, but for those to Docker, which it may keep."""
    disconnect()
    return len(list(Path("/proc/self/fd").iterdir()))


def _mounts() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return [line.split()[4] for line in lines]


def _mentions(mount: str, containers: set[str]) -> bool:
    return owner() in mount or any(container in mount for container in containers)


def _processes_of_containers() -> list[int]:
    users = owned_users()
    return [pid for pid in _pids() if _uid(pid) in users]


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _uid(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}").stat().st_uid
    except FileNotFoundError:
        return -1

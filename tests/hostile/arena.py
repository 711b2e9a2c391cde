"""Plays the hostile agents in real sandboxes and says what came of it, traces on the host included.

Each agent is one file below this directory, whose docstring declares its verdict. One batch of
games is played with the agent in both seats: an armed game, an honest one, and so on.
"""

import hashlib
import importlib.util
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import docker

from grader.archive import SourceFile, Sources
from grader.deals import agent_seed
from grader.games import game_from_options
from grader.records import AgentLimits, AgentRef, BatchRequest, GameOrder, GameResult, Record
from grader.runner import Slot, open_batch, play_locally
from sandbox.scratch import owner

HERE: Final = Path(__file__).parent
KIT: Final = HERE / "hostile.py"
SEATS: Final = 2
OPTIONS: Final = {"variant": "standard", "players": SEATS}
REPEATS: Final = int(os.environ.get("FIREBOX_HOSTILE_REPEATS", "3"))
"""Armed games per agent; set the variable to 20 for the long version."""
GONE_SECONDS: Final = 10.0
"""How long Docker may take to forget a container that it was told to remove."""
LIMITS: Final = AgentLimits(
    turn_seconds=0.3,
    turn_wall_seconds=0.7,
    start_seconds=2.0,
    memory_mib=96,
    stdout_bytes=128 << 10,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A hostile agent as its docstring describes it."""

    path: Path
    sentence: str
    verdict: str
    limits: AgentLimits
    always_armed: bool
    """It attacks before it could know the game's seed, so no game of its batch is honest."""
    bites: bool
    """Without a sandbox the attack succeeds, harmlessly: the attempt is a real one."""

    @property
    def name(self) -> str:
        """Group and name: ``time/busy_loop``."""
        return f"{self.path.parent.name}/{self.path.stem}"


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What a batch of one agent came to."""

    specimen: Specimen
    build_ok: bool = True
    armed: list[GameResult] = field(default_factory=list)
    honest: list[GameResult] = field(default_factory=list)
    containers: set[str] = field(default_factory=set)
    seconds: float = 0.0
    grown_mib: float = 0.0
    """By how much the resident memory of this process, the worker, grew."""

    @property
    def verdicts(self) -> list[str]:
        """One per armed game; ``rejected`` if there was none."""
        return [verdict(result.record) for result in self.armed] if self.build_ok else ["rejected"]

    def details(self) -> list[str]:
        """What was said about the faults."""
        results = self.armed + self.honest
        faults = [result.record.fault for result in results]
        return [f"{fault.kind}: {fault.detail}" for fault in faults if fault is not None]


def specimens() -> list[Specimen]:
    """All hostile agents, by group and name."""
    return [read_specimen(path) for path in sorted(HERE.glob("*/*.py"))]


def read_specimen(path: Path) -> Specimen:
    """Read an agent's docstring without running it."""
    text = path.read_text(encoding="utf-8").split('"""')[1]
    sentence, _, rest = text.partition("\n\n")
    keys = dict(line.split(": ", 1) for line in rest.splitlines() if ": " in line)
    changes = {
        name: type(getattr(LIMITS, name))(value)
        for name, value in (word.split("=") for word in keys.get("Limits", "").split())
    }
    return Specimen(
        path=path,
        sentence=" ".join(sentence.split()),
        verdict=keys["Verdict"],
        limits=replace(LIMITS, **changes),
        always_armed=keys.get("Armed") == "always",
        bites=keys.get("Bites") == "yes",
    )


def verdict(record: Record) -> str:
    """The word for how a game ended."""
    return "contained" if record.fault is None else str(record.fault.kind)


def play(specimen: Specimen, *, repeats: int = REPEATS, sandboxed: bool = True) -> Outcome:
    """Play a batch with the agent in every seat."""
    outcome = Outcome(specimen=specimen)
    plan = [True] * repeats if specimen.always_armed else [True, False] * repeats
    slot = Slot(core=0, sandboxed=sandboxed)
    began, resident = time.monotonic(), resident_mib()
    with open_batch(request(specimen, plan), [archive(specimen)], slot) as batch:
        outcome.build_ok = batch.playable
        outcome.containers = own_containers() if sandboxed else set()
        for is_armed, result in zip(plan, batch.games(), strict=batch.playable):
            (outcome.armed if is_armed else outcome.honest).append(result)
    outcome.seconds = time.monotonic() - began
    outcome.grown_mib = resident_mib() - resident
    return outcome


def play_archive(submission: bytes, *, games: int) -> list[GameResult]:
    """Play games with some other submission in every seat."""
    specimen = Specimen(
        path=KIT, sentence="", verdict="", limits=LIMITS, always_armed=False, bites=False
    )
    asked = request(specimen, [False] * games)
    with open_batch(asked, [submission], Slot(core=0)) as batch:
        return list(batch.games())


def row(outcome: Outcome) -> str:
    """One line of the table of outcomes."""
    came = outcome.verdicts
    same = f"{came[0]} {came.count(came[0])}/{len(came)}"
    declared = outcome.specimen.verdict
    mark = "ok " if set(came) == {declared} else "BAD"
    return f"{mark} {outcome.specimen.name:<36}{declared:<11}{same:<17}{outcome.seconds:6.1f} s"


def request(specimen: Specimen, plan: Sequence[bool]) -> BatchRequest:
    """A batch with an armed or an honest game for each entry of the plan."""
    return BatchRequest(
        evaluation="hostile",
        batch=specimen.name,
        game="hanabi",
        options=OPTIONS,
        limits=AgentLimits(**asdict(specimen.limits)),
        agents=(AgentRef(interface="python", sha256="0" * 64),),
        seating=(0,) * SEATS,
        games=tuple(
            GameOrder(index=index, deal_seed=seed) for index, seed in enumerate(deal_seeds(plan))
        ),
        max_consecutive_faults=0,
        check_first=True,
    )


def archive(specimen: Specimen) -> bytes:
    """The agent as a submission, with the kit beside it."""
    files = (
        SourceFile("agent.py", specimen.path.read_bytes()),
        SourceFile("hostile.py", KIT.read_bytes()),
    )
    return Sources(files=files).archive()


def deal_seeds(plan: Sequence[bool]) -> Iterator[str]:
    """Deal seeds that give every seat an odd seed of its own where armed, else an even one."""
    number = 0
    for armed in plan:
        while True:
            number += 1
            seed = hashlib.sha256(b"hostile %d" % number).digest()
            if all(agent_seed(seed, seat) % 2 == armed for seat in range(SEATS)):
                break
        yield seed.hex()


def honest_actions(results: Sequence[GameResult]) -> list[str]:
    """How these games go when nobody tries anything: played in this process, by the kit."""
    orders = [GameOrder(index=0, deal_seed=result.record.deal_seed) for result in results]
    classes = [_honest_class(load(KIT))] * SEATS
    game = game_from_options("hanabi", OPTIONS)
    return [record.actions for record in play_locally(game, orders, classes)]


def load(path: Path) -> ModuleType:
    """A file's module, which no import would find."""
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _honest_class(kit: ModuleType) -> type:
    class Honest:
        def act(self, observation: Any) -> Any:
            return kit.honest(observation)

    return Honest


def resident_mib() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


def own_containers() -> set[str]:
    """Ids of the seat containers of this process that Docker knows, dead ones included."""
    with closing(docker.from_env()) as client:
        label = f"firebox.owner={owner()}"
        return {seat["Id"] for seat in client.api.containers(all=True, filters={"label": label})}


def left_over(containers: set[str]) -> list[str]:
    """What this process's batches left on the host, once Docker had its time to forget."""
    deadline = time.monotonic() + GONE_SECONDS
    poll = iter(lambda: time.monotonic() < deadline, False)
    while (left := _left_now(containers)) and next(poll, False):
        os.sched_yield()
    return left


def _left_now(containers: set[str]) -> list[str]:
    return [
        *(f"container {container}" for container in own_containers()),
        *(f"directory {path}" for path in Path("/run").glob(f"firebox-*-{owner()}-*")),
        *(f"mount {mount}" for mount in _mounts() if _mentions(mount, containers)),
        *(f"process {pid}" for pid in _processes_of_containers()),
    ]


def _mounts() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return [line.split()[4] for line in lines]


def _mentions(mount: str, containers: set[str]) -> bool:
    return owner() in mount or any(container in mount for container in containers)


def _processes_of_containers() -> list[int]:
    """Processes under one of the user numbers that this process gives to its containers."""
    first = (1 << 30) + os.getpid() * 64
    return [pid for pid in _pids() if _uid(pid) in range(first, first + 64)]


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _uid(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}").stat().st_uid
    except FileNotFoundError:
        return -1

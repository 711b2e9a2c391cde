"""Every hostile agent in the real sandbox: its verdict, the next games, what it leaves behind."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import grader.interfaces
from grader.hostile import arena
from grader.hostile.hostile_programs import (
    LANGUAGES,
    LIMITS,
    HostileProgram,
    SuiteError,
    default_suite,
    load,
    read_hostile_program,
    read_suite,
)
from grader.hostile.report import line, row
from grader.house import bundle
from grader.interfaces import INTERFACES, interface_named
from grader.interfaces.languages import ONNXRUNTIME
from grader.play.batch import open_batch
from grader.uploads.archive import SourceFile, Sources
from tests.support.depth import DEEP, deeper
from tests.support.slots import UNCONFINED, confined
from tests.support.unconfined import unconfined_in
from tests.support.warm_sandboxes import WarmSandboxes

pytestmark = [pytest.mark.docker, pytest.mark.slow]

REPEATS = deeper(1, deep=20)
"""Armed games per agent, and as many honest ones."""
HOSTILE_PROGRAMS = read_suite(default_suite())
QUICK_START_SECONDS = 3.0
"""For a runtime: a virtual machine takes a third of a second."""
IN_PYTHON = [one for one in HOSTILE_PROGRAMS if one.language == arena.PYTHON]
WITH_LIBRARIES = deeper(IN_PYTHON[::12], deep=IN_PYTHON)
"""The image has the same supervisor and filters, so a part of the programs is enough each time."""
VERDICTS = {
    "contained", "timeout", "idle", "memory", "output", "crash", "malformed", "illegal",
    "forbidden", "rejected",
}  # fmt: skip
HONEST = b"""
from firebox import Agent
from hostile import honest

class Honest(Agent):
    def act(self, observation):
        return honest(observation)
"""
GROUPS = {"covert", "deals", "files", "harness", "memory", "network", "protocol", "time"}


def named(hostile_program: HostileProgram) -> str:
    return hostile_program.name


@pytest.fixture
def hurried(hostile_program: HostileProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program uses up its time to start, its runtime has less of its own for that."""
    interface = interface_named(hostile_program.language.interface)
    if DEEP or hostile_program.limits.start_seconds >= LIMITS.start_seconds:
        return
    seconds = min(interface.allowance.start_seconds, QUICK_START_SECONDS)
    changed = replace(interface, allowance=replace(interface.allowance, start_seconds=seconds))
    changes = {**INTERFACES, interface.name: changed}
    monkeypatch.setattr(grader.interfaces, "INTERFACES", changes)


@pytest.fixture(scope="module")
def kinds() -> set[tuple[str, int]]:
    """Languages and limits of memory for which sandboxes have been opened."""
    return set()


@pytest.fixture
def partner(hostile_program: HostileProgram) -> bytes:
    """The sources of an honest partner, where a second seat for the program costs much.

    Programs in Python, and those that would meet in secret, play both seats. So do all for ``make
    test-deep`` and ``firebox hostile``.
    """
    python = arena.PYTHON
    if DEEP or hostile_program.language == python or hostile_program.path.parent.name == "covert":
        return b""
    kit = SourceFile(python.kit, (default_suite() / python.kit).read_bytes())
    return Sources(files=(kit, SourceFile("agent.py", HONEST))).archive()


@pytest.fixture
def open_sandboxes(
    hostile_program: HostileProgram,
    partner: bytes,
    docker_engine: object,
    warm_sandboxes: WarmSandboxes,
    kinds: set[tuple[str, int]],
) -> Iterator[None]:
    """Open sandboxes for this program before it is played: what they hold is not left by it.

    Programs in Python and Java, and partners, are played in the sandboxes of the ones before; each
    gets processes of its own, and what one of them leaves to the next is found by that one's
    verdict.
    The table that ``firebox hostile`` plays opens sandboxes for each.
    """
    needed = {arena.PYTHON: partner} if partner else {}
    if not interface_named(hostile_program.language.interface).runtime.builder:
        needed[hostile_program.language] = hostile_program.archive()
    limits = hostile_program.limits
    for language, archive in needed.items():
        kind = (language.interface, limits.memory_mib)
        if kind not in kinds:
            seeds = [*arena.deal_seeds([True], language)]
            with open_batch(arena.batch_request(limits, seeds, language), [archive], confined()):
                kinds.add(kind)
    warm_sandboxes.keeps_new = False
    yield
    warm_sandboxes.keeps_new = True


@pytest.mark.parametrize("hostile_program", HOSTILE_PROGRAMS, ids=named)
def test_the_sandbox_holds(
    hostile_program: HostileProgram,
    partner: bytes,
    open_sandboxes: None,
    hurried: None,
    record_property: Callable[[str, object], None],
) -> None:
    came = row(arena.play(hostile_program, repeats=REPEATS, slot=confined(), partner=partner))
    record_property("hostile", line(came))
    assert came.deviations == ()


@pytest.mark.parametrize("hostile_program", WITH_LIBRARIES, ids=named)
def test_the_sandbox_with_libraries_holds(
    hostile_program: HostileProgram,
    docker_engine: object,
    warm_sandboxes: WarmSandboxes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    python = interface_named(arena.PYTHON.interface)
    with_libraries = replace(
        python,
        runtime=replace(python.runtime, image=ONNXRUNTIME.image),
        adapter=replace(python.adapter, preload=(*ONNXRUNTIME.modules, *python.adapter.preload)),
        allowance=ONNXRUNTIME.allowance,
    )
    monkeypatch.setattr(
        grader.interfaces, "INTERFACES", {**INTERFACES, python.name: with_libraries}
    )
    asked = arena.batch_request(hostile_program.limits, [*arena.deal_seeds([True])])
    with open_batch(asked, [hostile_program.archive()], confined()):
        pass  # what its sandboxes hold, which stay open, is not left by it
    monkeypatch.setattr(warm_sandboxes, "keeps_new", False)
    came = row(arena.play(hostile_program, repeats=REPEATS, slot=confined()))
    assert came.deviations == ()


@pytest.mark.parametrize(
    "hostile_program", [one for one in HOSTILE_PROGRAMS if one.bites], ids=named
)
def test_without_a_sandbox_the_attack_succeeds(
    hostile_program: HostileProgram, docker_engine: object, tmp_path: Path
) -> None:
    """In the image of its compiler, if it has one: this host need not."""
    builder = interface_named(hostile_program.language.interface).runtime.builder
    slot = unconfined_in(builder, tmp_path) if builder else UNCONFINED
    outcome = arena.play(hostile_program, repeats=1, slot=slot)
    assert outcome.verdicts == ["crash"], outcome.details()
    assert outcome.details()
    assert all("ESCAPED" in detail for detail in outcome.details())


def test_a_house_agent_plays_without_fault_after_all_hostile_programs(
    docker_engine: object,
) -> None:
    games = deeper(3, deep=20)
    asked = arena.batch_request(LIMITS, list(arena.deal_seeds([False] * games)))
    with open_batch(asked, [bundle("outer")], confined()) as batch:
        results = list(batch.games())
    assert [arena.verdict(result.record) for result in results] == ["contained"] * games


def test_the_program_that_guesses_seeds_would_notice_a_right_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hostile", load(default_suite() / "hostile.py"))
    guesser = load(default_suite() / "deals" / "guesses_the_seed.py")
    seed = bytes(range(32))
    state = arena.rules(LANGUAGES[".py"]).deal(seed)
    agent = guesser.GuessesTheSeed()
    agent.hand = list(state.observe(0)["hands"][1]["cards"])
    with pytest.raises(AssertionError, match="ESCAPED"):
        agent.compare("the right one", guesser.shuffled(seed))


def test_there_is_an_agent_in_every_group_and_for_every_verdict() -> None:
    assert {hostile_program.path.parent.name for hostile_program in HOSTILE_PROGRAMS} == GROUPS
    assert {hostile_program.verdict for hostile_program in HOSTILE_PROGRAMS} == VERDICTS


def test_every_agent_says_what_it_tries_in_one_sentence() -> None:
    sentences = [hostile_program.sentence for hostile_program in HOSTILE_PROGRAMS]
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)


def test_there_are_programs_in_every_language() -> None:
    assert {one.path.suffix for one in HOSTILE_PROGRAMS} == set(LANGUAGES)


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_attacked_and_honest_games_alternate_in_every_language(suffix: str) -> None:
    language = LANGUAGES[suffix]
    seeds = list(arena.deal_seeds([True, False, True], language))
    game = arena.rules(language)
    armed = [
        [language.spec.is_armed(game, bytes.fromhex(seed), seat) for seat in range(arena.SEATS)]
        for seed in seeds
    ]
    assert armed == [[True, True], [False, False], [True, True]]


def test_the_purpose_of_a_program_is_read_from_its_first_comment(tmp_path: Path) -> None:
    path = tmp_path / "Tries.java"
    path.write_text(
        "/*\n * Tries something\n * that takes two lines.\n *\n * Verdict: idle\n"
        " * Limits: memory_mib=64\n */\nclass Tries {}\n"
    )
    hostile_program = read_hostile_program(path)
    assert hostile_program.sentence == "Tries something that takes two lines."
    assert (hostile_program.verdict, hostile_program.limits.memory_mib) == ("idle", 64)
    path.write_text("class Tries {}\n")
    with pytest.raises(SuiteError, match="does not say what it tries"):
        read_hostile_program(path)


def test_a_verdict_that_is_not_the_declared_one_is_a_deviation(
    tmp_path: Path, docker_engine: object
) -> None:
    (tmp_path / "hostile.py").write_bytes((default_suite() / "hostile.py").read_bytes())
    (tmp_path / "group").mkdir()
    (tmp_path / "group" / "liar.py").write_text(
        '"""Says that it is contained, and escapes.\n\nVerdict: contained\n"""\n'
        "from hostile import Hostile, escaped\n\n"
        "class Liar(Hostile):\n    def attack(self, observation):\n        escaped('far')\n"
    )
    (hostile_program,) = read_suite(tmp_path)
    first, second = arena.deviations(arena.play(hostile_program, repeats=1, slot=confined()))
    assert "1 of 1 verdicts are crash" in first
    assert "ESCAPED: far" in second

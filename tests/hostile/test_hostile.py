"""Every hostile agent in the real sandbox: its verdict, the next games, what it leaves behind."""

import sys
from collections.abc import Callable

import pytest

from grader.games import game_from_options
from grader.house import bundle
from tests.hostile import arena
from tests.hostile.arena import Outcome, Specimen

pytestmark = [pytest.mark.docker, pytest.mark.slow]

SPECIMENS = arena.specimens()
VERDICTS = {
    "contained", "timeout", "idle", "memory", "output", "crash", "malformed", "illegal",
    "forbidden", "rejected",
}  # fmt: skip
GROUPS = {"covert", "deals", "files", "harness", "memory", "network", "protocol", "time"}
WORKER_MAY_GROW_MIB = 64
KEPT_OF_STDERR = 70 << 10
"""The quota of 64 KiB, and the line that says what is missing."""


def named(specimen: Specimen) -> str:
    return specimen.name


@pytest.fixture(scope="module", params=SPECIMENS, ids=named)
def outcome(request: pytest.FixtureRequest, docker_engine: object) -> Outcome:
    """One batch with one hostile agent in both seats."""
    return arena.play(request.param)


def test_the_verdict_is_the_declared_one_every_time(
    outcome: Outcome, record_property: Callable[[str, object], None]
) -> None:
    record_property("hostile", arena.row(outcome))
    assert set(outcome.verdicts) == {outcome.specimen.verdict}, outcome.details()


def test_no_attack_escapes(outcome: Outcome) -> None:
    assert not [detail for detail in outcome.details() if "ESCAPED" in detail]


def test_the_next_game_on_the_same_seats_is_as_if_nothing_had_been_tried(outcome: Outcome) -> None:
    played = [result.record.actions for result in outcome.honest]
    assert played == arena.honest_actions(outcome.honest)


def test_a_contained_attack_changes_nothing_in_its_own_game(outcome: Outcome) -> None:
    contained = [result for result in outcome.armed if result.record.fault is None]
    played = [result.record.actions for result in contained]
    assert played == arena.honest_actions(contained)


def test_evidence_is_bounded(outcome: Outcome) -> None:
    kept = [result.evidence for result in outcome.armed if result.evidence is not None]
    assert all(len(evidence.stderr) <= KEPT_OF_STDERR for evidence in kept)
    assert all(len(evidence.received) <= 4 * 4096 for evidence in kept)


def test_nothing_is_left_on_the_host(outcome: Outcome) -> None:
    assert arena.left_over(outcome.containers) == []


def test_the_worker_does_not_grow(outcome: Outcome) -> None:
    assert outcome.grown_mib < WORKER_MAY_GROW_MIB


@pytest.mark.parametrize("specimen", [one for one in SPECIMENS if one.bites], ids=named)
def test_without_a_sandbox_the_attack_succeeds(specimen: Specimen) -> None:
    outcome = arena.play(specimen, repeats=1, sandboxed=False)
    assert all("ESCAPED" in detail for detail in outcome.details())
    assert outcome.verdicts == ["crash"]


def test_a_house_agent_plays_on_after_all_of_them(docker_engine: object) -> None:
    results = arena.play_archive(bundle("outer"), games=20)
    assert [arena.verdict(result.record) for result in results] == ["contained"] * 20


def test_the_agent_that_guesses_seeds_would_know_the_deal_of_a_right_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "hostile", arena.load(arena.KIT))
    guesser = arena.load(arena.HERE / "deals" / "guesses_the_seed.py")
    seed = bytes(range(32))
    state = game_from_options("hanabi", arena.OPTIONS).deal(seed)
    agent = guesser.GuessesTheSeed()
    agent.hand = list(state.observe(0)["hands"][1]["cards"])
    with pytest.raises(AssertionError, match="ESCAPED"):
        agent.compare("the right one", guesser.shuffled(seed))


def test_there_is_an_agent_in_every_group_and_for_every_verdict() -> None:
    assert {specimen.path.parent.name for specimen in SPECIMENS} == GROUPS
    assert {specimen.verdict for specimen in SPECIMENS} == VERDICTS


def test_every_agent_says_what_it_tries_in_one_sentence() -> None:
    sentences = [specimen.sentence for specimen in SPECIMENS]
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)

"""Playing a request: the reports and their order; every failure of ours is reported."""

import errno
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit import AuditedGame, AuditReport, AuditRequest, Conclusion
from grader.core.prints import MAX_CHARACTERS
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchPhase,
    BatchReport,
    GameResult,
    to_json,
)
from grader.uploads.store import ArtefactStore, StoreUnavailable
from grader.worker.requests import (
    answer_audit,
    decline,
    is_for_others,
    play_request,
    report_seconds,
)
from tests.support.agents import NOBODY, STEADY, agent, packed, request_for
from tests.support.slots import UNCONFINED


@pytest.fixture
def store(tmp_path: Path) -> ArtefactStore:
    return ArtefactStore(str(tmp_path))


def reports(
    store: ArtefactStore,
    source: str,
    games: Sequence[int],
    *,
    stored: bool = True,
    prints_of: tuple[int, ...] = (),
    load: int = 0,
) -> list[BatchReport]:
    sha256 = store.put(packed(source)) if stored else NOBODY
    agent = AgentRef(interface="python", sha256=sha256)
    request = replace(request_for(games), agents=(agent,), check_first=True, prints_of=prints_of)
    sent: list[BatchReport] = []
    play_request(request, store, UNCONFINED, sent.append, lambda: load)
    return sent


@pytest.mark.slow
def test_builds_games_and_the_end_are_reported(store: ArtefactStore) -> None:
    sent = reports(store, STEADY, range(3))
    assert [report.phase for report in sent][:1] == [BatchPhase.BUILT]
    assert sent[-1].phase is BatchPhase.DONE
    assert [result.index for report in sent for result in report.results] == [0, 1, 2]


def test_the_more_reports_wait_the_fewer_are_sent() -> None:
    assert [report_seconds(waiting) for waiting in (0, 100, 10**6)] == [1.0, 3.0, 10.0]


@pytest.mark.slow
@pytest.mark.parametrize(("load", "count"), [(0, 7), (10_000, 2)])
def test_a_batch_is_reported_in_larger_parts_while_the_site_is_behind(
    store: ArtefactStore, monkeypatch: pytest.MonkeyPatch, load: int, count: int
) -> None:
    """Its build, each game and its end; or its build and the rest."""
    monkeypatch.setattr("grader.worker.requests._REPORT_SECONDS", 0.0)
    sent = reports(store, STEADY, range(5), load=load)
    assert len(sent) == count
    assert [result.index for report in sent for result in report.results] == list(range(5))


@pytest.mark.slow
def test_sources_that_do_not_compile_end_with_the_build(store: ArtefactStore) -> None:
    sent = reports(store, "def (", range(3))
    assert not sent[0].builds[0].ok
    assert not [result for report in sent for result in report.results]


def test_sources_that_are_not_in_the_store_are_our_failure(store: ArtefactStore) -> None:
    (report,) = reports(store, STEADY, [0], stored=False)
    assert report.phase is BatchPhase.FAILED


def test_a_game_that_this_grader_does_not_know_is_our_failure(store: ArtefactStore) -> None:
    request = request_for([0], sha256=[store.put(packed(STEADY))])
    sent: list[BatchReport] = []
    play_request(replace(request, game="bridge"), store, UNCONFINED, sent.append)
    (report,) = sent
    assert report.phase is BatchPhase.FAILED
    assert "unknown game 'bridge'" in report.system_fault


class AwayOnce(ArtefactStore):
    """A store that does not answer the first time."""

    is_away = True

    def get(self, key: str) -> bytes:
        if self.is_away:
            self.is_away = False
            raise StoreUnavailable("cannot read: no route to host")
        return super().get(key)


def test_a_store_that_is_away_costs_no_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.worker.requests._STORE_PAUSES", (0.0,))
    first, *_ = reports(AwayOnce(str(tmp_path)), "def", [0])
    assert first.phase is BatchPhase.BUILT


@pytest.mark.parametrize("game", ["hanabi", "bridge"])
def test_a_request_that_excludes_this_grader_is_declined(game: str) -> None:
    request = replace(request_for([0]), game=game)
    sent: list[BatchReport] = []
    decline(replace(request, not_by=("a",)), UNCONFINED, sent.append)
    assert [(report.phase, report.request) for report in sent] == [
        (BatchPhase.DECLINED, request.digest())
    ]


def test_a_grader_declines_what_others_are_to_play_and_games_that_it_does_not_have() -> None:
    request = request_for([0])
    for kept in (request, replace(request, not_by=("b",))):
        assert not is_for_others(kept, "a")
    for other in ({"not_by": ("a",)}, {"game_version": "1-0123456789abcdef"}):
        assert is_for_others(replace(request, **other), "a")


def test_a_full_disk_is_our_failure(store: ArtefactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(purpose: str) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device", purpose)

    monkeypatch.setattr("grader.play.games.make_scratch", full)
    (report,) = reports(store, STEADY, [0])
    assert report.phase is BatchPhase.FAILED
    assert "No space left" in report.system_fault


LOUD = agent("import os; os.write(2, b'\\x01' * 60_000 + b'the end'); os._exit(3)")
"""Ends with all the noise that is kept; in JSON each byte of it is six."""


@pytest.mark.slow
def test_reports_are_bounded_however_loud_the_faults(store: ArtefactStore) -> None:
    sent = reports(store, LOUD, range(30))
    evidences = [result.evidence for report in sent for result in report.results]
    lengths = [len(evidence.stderr) for evidence in evidences if evidence is not None]
    assert len(lengths) == 30
    assert min(lengths[:20]) >= 60_000
    assert max(lengths[20:]) < 21_000
    assert all("characters left out" in evidence.stderr for evidence in evidences[20:] if evidence)
    assert all(evidence.stderr.endswith("the end") for evidence in evidences if evidence)
    assert max(len(to_json(report)) for report in sent) < 2 << 20


TALKING = agent(
    "print(f'turn {observation.turn}', flush=True)\nif observation.turn == 3: print('x' * 10**7)",
    start="print('starting')",
)


@pytest.mark.slow
def test_output_is_sent_by_turn_beside_the_results(store: ArtefactStore) -> None:
    sent = reports(store, TALKING, [0], prints_of=(0,))
    ((game,),) = [report.prints for report in sent if report.prints]
    texts = {(each.turn, each.seat): each.text for each in game.printed}
    assert texts[3, 1].startswith("[… earlier output is not kept …]\nxxx")
    assert texts[4, 0] == "turn 4\n"
    assert sum(map(len, texts.values())) <= MAX_CHARACTERS
    assert all(type(result) is GameResult for report in sent for result in report.results)
    assert not any(report.prints for report in reports(store, TALKING, [0]))  # not asked for


@pytest.mark.slow
def test_reports_are_bounded_however_much_is_printed(store: ArtefactStore) -> None:
    loud = agent("import os; os.write(2, b'\\x01' * 60_000)")
    sent = reports(store, loud, range(45), prints_of=(0,))
    assert max(len(to_json(report)) for report in sent) < 2 << 20
    assert len([each for report in sent for each in report.prints]) == 40


def audited(store: ArtefactStore, source: str, *, stored: bool = True) -> AuditReport:
    played = [result for report in reports(store, source, [3]) for result in report.results]
    request = AuditRequest(
        audit="audit",
        agent=AgentRef(interface="python", sha256=store.put(packed(source)) if stored else NOBODY),
        seats=(0, 1),
        limits=AgentLimits(),
        games=tuple(AuditedGame(index=each.index, record=each.record) for each in played),
        seed=1,
        seconds=60.0,
    )
    return answer_audit(request, store, UNCONFINED)


@pytest.mark.slow
@pytest.mark.usefixtures("short_pauses")
def test_an_audit_is_answered_with_a_conclusion_per_seat(store: ArtefactStore) -> None:
    report = audited(store, STEADY)
    assert [(seat.index, seat.seat) for seat in report.seats] == [(3, 0), (3, 1)]
    assert {seat.conclusion for seat in report.seats} == {Conclusion.SAME}
    assert (report.audit, report.system_fault) == ("audit", "")
    assert "firebox" in report.worker


@pytest.mark.slow
def test_an_audit_that_cannot_be_done_is_answered_with_the_error(store: ArtefactStore) -> None:
    report = audited(store, STEADY, stored=False)
    assert report.seats == ()
    assert "not in the store" in report.system_fault

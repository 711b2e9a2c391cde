"""A tournament's file: verified from its records alone, with real games and no agents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.core.deals import commitment, deal_seed
from grader.core.games import game_from_options
from grader.core.records import BatchRequest, GameRequest, Record, from_json, to_json
from grader.tournament import (
    Exclusion,
    PlanParticipant,
    Policy,
    TableBatch,
    TournamentExport,
    TournamentResult,
    TournamentSpec,
    batch_request,
    export_tournament,
    ledger_of,
    table_batches,
    verify_tournament,
)
from tests.grader.played import faulted_record, first_play, result
from tests.grader.tournament.made import SECRET, participants, spec

SPEC = spec(
    sizes=(2,), rounds=3, games_per_table=2, self_play_games=1, policy=Policy(faults_to_removal=2)
)
CAST = participants(5, 1)


def first_actions(request: BatchRequest, order: GameRequest) -> Record:
    """A game of agents that always choose the first action."""
    game = game_from_options(request.game, request.options)
    return first_play(game, bytes.fromhex(order.deal_seed))


def crash_at_once(request: BatchRequest, order: GameRequest, seat: int) -> Record:
    whole = first_actions(request, order)
    fault = faulted_record().fault
    assert fault is not None
    return replace(
        whole,
        actions="",
        charged_us=(),
        ending="fault",
        fault=replace(fault, seat=seat, turn=-1),
        scores=(0,) * len(whole.scores),
    )


def request_for(batch: TableBatch, settings: TournamentSpec = SPEC) -> BatchRequest:
    return batch_request(
        settings, batch, tournament="t", name="b", participants=CAST, secret=SECRET
    )


def test_no_batch_has_a_deal_twice() -> None:
    rotated = replace(SPEC, games_per_table=4, rotated=True, self_play_games=0)
    wanted = ledger_of(rotated, CAST, secret=SECRET).wanted
    assert set(Counter((game.table, game.deal) for game in wanted).values()) == {2}
    batches = table_batches(wanted)
    assert sorted(game.index for batch in batches for game in batch.games) == sorted(
        game.index for game in wanted
    )
    for batch in batches:
        deals = [game.deal for game in batch.games]
        assert len(set(deals)) == len(deals)


def played(
    *, crashing: int | None = None, exclusions: Sequence[Exclusion] = ()
) -> list[TournamentResult]:
    ledger = ledger_of(SPEC, CAST, secret=SECRET, exclusions=exclusions)
    found: list[TournamentResult] = []
    while not ledger.finished:
        for batch in table_batches(ledger.wanted):
            request = request_for(batch)
            for game, order in zip(batch.games, request.games, strict=True):
                if crashing in game.seating:
                    record = crash_at_once(request, order, game.seating.index(crashing))
                else:
                    record = first_actions(request, order)
                one = result(order.index, record)
                found.append(TournamentResult(seating=game.seating, result=one))
                ledger.add(batch.played(one))
    return found


def export(
    results: Sequence[TournamentResult],
    *,
    exclusions: Sequence[Exclusion] = (),
    cast: Sequence[PlanParticipant] = CAST,
    reveal_secret: bool = True,
) -> TournamentExport:
    return export_tournament(
        SPEC,
        cast,
        title="Tournament",
        secret=SECRET,
        reveal_secret=reveal_secret,
        exclusions=exclusions,
        results=results,
    )


def test_a_request_asks_for_the_games_of_one_table_in_their_seats() -> None:
    ledger = ledger_of(replace(SPEC, self_play_games=0), CAST, secret=SECRET)
    batch = table_batches(ledger.wanted)[0]
    request = request_for(batch)
    assert len(request.agents) == 2
    assert request.options == {"players": 2}
    assert request.max_consecutive_faults == 2
    for game, order in zip(batch.games, request.games, strict=True):
        assert order.deal_seed == deal_seed(SECRET, game.deal).hex()
        assert order.seating is not None
        assert tuple(batch.participants[at] for at in order.seating) == game.seating


def test_a_batch_survives_being_written_down() -> None:
    batch = table_batches(ledger_of(SPEC, CAST, secret=SECRET).wanted)[0]
    assert from_json(to_json(batch), TableBatch) == batch


def test_a_finished_tournament_verifies_from_its_file() -> None:
    made = from_json(to_json(export(played())), TournamentExport)
    report = verify_tournament(made)
    assert report.findings == ()
    assert (report.games, report.counted, report.plan_derived) == (23, 23, True)
    assert made.finished
    assert made.commitment == commitment(SECRET)


def test_spoiled_games_are_in_the_export_and_verify() -> None:
    made = export(played(crashing=2))
    report = verify_tournament(made)
    assert report.ok
    assert report.games > report.counted
    row = next(row for row in made.standings.rows if row.participant == 2)
    assert row.removal is not None


def test_a_cancelled_tournament_verifies_as_far_as_it_came() -> None:
    made = export(played()[:9])
    assert not made.finished
    assert verify_tournament(made).ok


def test_exclusions_are_part_of_the_export() -> None:
    out = [Exclusion(participant=1, from_round=2, reason="cheated")]
    made = export(played(exclusions=out), exclusions=out)
    assert made.finished
    assert verify_tournament(made).ok
    assert not verify_tournament(replace(made, exclusions=())).ok


def test_without_the_secret_games_are_replayed_but_nothing_is_derived() -> None:
    report = verify_tournament(export(played(), reveal_secret=False))
    assert (report.ok, report.games, report.plan_derived) == (True, 23, False)


def findings(made: TournamentExport) -> str:
    return "\n".join(finding.text for finding in verify_tournament(made).findings)


def test_another_secret_is_noticed() -> None:
    made = replace(export(played()), secret=SECRET[::-1].hex())
    text = findings(made)
    assert "commitment" in text
    assert "the deal is not the one that the secret gives" in text
    assert "not complete" in text
    assert "unusable" in findings(replace(made, secret="ab"))


def test_changed_standings_are_noticed_in_figures_order_and_number() -> None:
    made = export(played())
    best, *others = made.standings.rows
    better = replace(best, games=best.games + 1)
    changed = replace(made, standings=replace(made.standings, rows=(better, *others)))
    assert f"another standing for participant {best.participant}" in findings(changed)
    short = replace(made, standings=replace(made.standings, rows=tuple(others)))
    assert "another standing" in findings(short)
    made = export(played())
    rows = made.standings.rows
    for forged in (rows[::-1], (replace(rows[0], games=99), *rows)):
        changed = replace(made, standings=replace(made.standings, rows=forged))
        assert findings(changed) == "the games give the standings in another order"
    made = export(played())
    changed = replace(made.cross_play, games=made.cross_play.games[::-1])
    assert "table of pairs" in findings(replace(made, cross_play=changed))


@pytest.mark.parametrize("name", ["place", "rank", "adjusted_rank"])
def test_a_forged_rank_is_noticed(name: str) -> None:
    made = export(played())
    *others, last = made.standings.rows
    forged = replace(last, **{name: 9})
    changed = replace(made, standings=replace(made.standings, rows=(*others, forged)))
    assert findings(changed) == (
        f"the games give another standing for participant {last.participant}"
    )


@pytest.mark.parametrize(
    "name", ["n", "total", "mean", "sd", "standard_error", "low", "high", "best", "worst", "lost"]
)
def test_a_forged_figure_of_self_play_is_noticed(name: str) -> None:
    made = export(played())
    first, *others = made.standings.rows
    assert first.self_play is not None
    forged = replace(first, self_play=replace(first.self_play, **{name: 99}))
    changed = replace(made, standings=replace(made.standings, rows=(forged, *others)))
    assert findings(changed) == (
        f"the games give another standing for participant {first.participant}"
    )


@pytest.mark.parametrize("name", ["agents", "deals", "rest"])
def test_a_forged_share_of_luck_is_noticed(name: str) -> None:
    made = export(played())
    assert made.standings.luck is not None
    forged = replace(made.standings.luck, **{name: 99.0})
    changed = replace(made, standings=replace(made.standings, luck=forged))
    assert "luck" in findings(changed)
    assert "luck" in findings(replace(made, standings=replace(made.standings, luck=None)))


def test_last_digits_of_another_machine_contradict_nothing() -> None:
    made = export(played())
    luck = made.standings.luck
    assert luck is not None
    rows = [
        row
        if row.adjusted is None
        else replace(row, adjusted=replace(row.adjusted, value=row.adjusted.value + 1e-7))
        for row in made.standings.rows
    ]
    elsewhere = replace(
        made.standings, rows=tuple(rows), luck=replace(luck, agents=luck.agents + 1e-7)
    )
    assert verify_tournament(replace(made, standings=elsewhere)).ok


def test_a_game_with_another_seat_or_given_twice_or_that_does_not_replay_is_noticed() -> None:
    made = export(played())
    first = made.results[-1]
    swapped = replace(first, seating=first.seating[::-1])
    assert "not complete" in findings(replace(made, results=(*made.results[:-1], swapped)))
    made = export(played())
    assert "there twice" in findings(replace(made, results=(*made.results, made.results[0])))
    made = export(played())
    first = made.results[0]
    record = replace(first.result.record, scores=(25, 25))
    forged = replace(first, result=replace(first.result, record=record))
    assert "the record says" in findings(replace(made, results=(forged, *made.results[1:])))


def test_a_fault_of_a_seat_that_is_not_there_is_noticed() -> None:
    made = export(played(crashing=2))
    at = next(at for at, each in enumerate(made.results) if each.result.record.fault)
    each = made.results[at]
    fault = each.result.record.fault
    assert fault is not None
    record = replace(each.result.record, fault=replace(fault, seat=-1))
    forged = replace(each, result=replace(each.result, record=record))
    changed = (*made.results[:at], forged, *made.results[at + 1 :])
    assert "a fault of seat -1 at a table of 2" in findings(replace(made, results=changed))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [(spec(sizes=(9,)), "players"), (spec(sizes=(2, 5), rounds=3), "")],
)
def test_changed_settings_are_noticed(settings: TournamentSpec, complaint: str) -> None:
    text = findings(replace(export(played()), tournament=settings))
    assert text
    assert complaint in text

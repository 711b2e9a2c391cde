"""Assignments of a game played against others: what graders are asked, what comes of it."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from grader.audit import AuditReport, AuditRequest, Conclusion, SeatAudit
from grader.core.errors import RecordError
from grader.core.records import BatchPhase, FaultKind, from_json, to_json
from grader.results.evaluation import game_setup
from grader.results.export import EvaluationExport
from grader.results.grading_scheme import Beaten, GradingScheme
from tests.support.jobs import audit_request, request_of
from tests.support.trusted import record_audit, record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW, another
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.spreadsheets import board_csv
from webapp.flow.pipeline import update_assignment
from webapp.grading.evaluations import selectors
from webapp.grading.evaluations.comparing import pair_of
from webapp.grading.evaluations.models import Audit, Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.reproducing import export_json, reproduce_command
from webapp.grading.evaluations.services import grade_team, request_house
from webapp.grading.gradebook.spreadsheets import gradebook_csv
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, Team
from webapp.teaching.courses.services import team_for
from webapp.teaching.courses.stored_schemes import scheme_json

OPPONENTS = ["hearts/low_card", "hearts/careful"]
SCHEME = GradingScheme(
    full_mean=Decimal(18),
    full_points=Decimal(20),
    fewest_wins=True,
    beaten=(
        Beaten(opponent="hearts/low_card", won=Decimal("0.5"), points=Decimal(30)),
        Beaten(opponent="hearts/careful", won=Decimal("0.5"), points=Decimal(50)),
    ),
)


@pytest.fixture
def hearts(course: Course, ida: User) -> Assignment:
    """Two players, one hand a game, against two house agents."""
    return another(
        course,
        ida,
        "hearts",
        game="hearts",
        options={"variant": "standard", "players": 2, "hands": 1},
        opponents=OPPONENTS,
        n_games=10,
        practice_games=5,
        smoke_games=3,
        grading=scheme_json(SCHEME),
    )


@pytest.fixture
def submission(hearts: Assignment, ada: User, ready: Callable[[Team], Submission]) -> Submission:
    return ready(team_for(user=ada, assignment=hearts))


@pytest.fixture
def graded(submission: Submission, ida: User) -> Evaluation:
    return grade_team(team=submission.team, by=ida, at=NOW)


def beats_the_first(index: int) -> fakes.Outcome:
    """Wins every game against the first opponent, ties one of two with the second."""
    if index < 10:
        return fakes.OTHERS - 10
    return fakes.OTHERS if index % 2 else fakes.OTHERS + 10


# What an assignment may ask for


def changed(hearts: Assignment, ida: User, **fields: object) -> str:
    with pytest.raises(ValidationError) as refused:
        update_assignment(assignment=hearts, by=ida, **fields)
    return str(refused.value)


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("choose at least one", {"opponents": []}),
        ("'iggi' does not play by these rules", {"opponents": ["iggi"]}),
        ("each once", {"opponents": [OPPONENTS[0]] * 2}),
        ("Carla is not one of the opponents", {"opponents": OPPONENTS[:1]}),
        (
            "In Hearts lower means are better.",
            {"grading": scheme_json(replace(SCHEME, fewest_wins=False))},
        ),
    ],
)
def test_opponents_that_do_not_fit_the_game_or_the_scheme_are_refused(
    words: str, fields: dict[str, object], hearts: Assignment, ida: User
) -> None:
    assert words in changed(hearts, ida, **fields)


def test_a_cooperative_game_has_no_opponents(assignment: Assignment, ida: User) -> None:
    assert "is cooperative" in changed(assignment, ida, opponents=OPPONENTS)


def test_the_default_is_all_quick_opponents_with_equal_points(course: Course, ida: User) -> None:
    made = another(course, ida, game="hearts", options={"players": 4})
    assert made.opponents == ["hearts/low_card", "hearts/careful", "hearts/guarded"]
    assert [(line.won, line.points) for line in made.scheme.beaten] == [
        (Decimal("0.25"), Decimal(points)) for points in (33, 33, 34)
    ]


def test_games_against_all_opponents_together_have_a_limit(
    hearts: Assignment, ida: User, settings: object
) -> None:
    settings.MAX_GAMES = 19  # type: ignore[attr-defined]  # the fixture of Django's settings
    assert "10 games against each of 2: this site plays at most 19" in changed(
        hearts, ida, n_games=10, title="Other"
    )


# What graders are asked


@pytest.mark.slow
def test_graders_are_told_whom_it_plays_and_who_sits_where(graded: Evaluation) -> None:
    assert graded.n_games == 20
    requests = [request_of(batch) for batch in fakes.jobs(graded)]
    assert len(requests[0].agents) == 3
    assert requests[0].ours == (1, 2)
    games = [game for request in requests for game in request.games]
    first, second = games[0], games[5]
    assert (first.seating, second.seating) == ((0, 1), (1, 0))
    assert first.deal_seed == second.deal_seed


@pytest.mark.slow
def test_no_grader_is_asked_for_a_deal_twice_at_a_time(graded: Evaluation) -> None:
    batches = fakes.jobs(graded)
    assert batches
    for batch in batches:
        deals = [game.deal_seed for game in request_of(batch).games]
        assert len(set(deals)) == len(deals)


def test_odd_numbers_of_games_are_rounded_up_to_full_rounds(submission: Submission) -> None:
    practice = submission.evaluations.get(kind=Kind.PRACTICE)
    assert practice.n_games == 2 * 6


@pytest.mark.slow
def test_batches_are_as_short_as_the_slowest_opponent_asks_for(
    submission: Submission, hearts: Assignment, ida: User
) -> None:
    names = [*OPPONENTS, "hearts/sampling"]
    Assignment.objects.filter(pk=hearts.pk).update(opponents=names, n_games=40)
    submission.team.assignment.refresh_from_db()
    graded = grade_team(team=submission.team, by=ida, at=NOW)
    assert graded.ms_per_game == 5000
    assert max(batch.n_games for batch in fakes.jobs(graded)) <= 3


@pytest.mark.slow
def test_a_smoke_test_is_against_the_first_only(submission: Submission) -> None:
    smoke = submission.evaluations.get(kind=Kind.SMOKE)
    assert smoke.parsed_spec.opponents == ("hearts/low_card",)
    assert smoke.n_games == 4


def test_opponents_are_frozen_with_the_request(graded: Evaluation, hearts: Assignment) -> None:
    hashes = [agent.sha256 for agent in graded.agents]
    assert len(set(hashes)) == 3
    Assignment.objects.filter(pk=hearts.pk).update(opponents=OPPONENTS[:1])
    graded.refresh_from_db()
    assert [agent.sha256 for agent in graded.agents] == hashes


# What comes of it


@pytest.mark.slow
def test_evaluations_of_different_lengths_are_compared_deal_by_deal(
    graded: Evaluation, hearts: Assignment, submission: Submission, ida: User
) -> None:
    """Game 10 of the first is against the second opponent, of the other against the first one."""
    fakes.play(graded, lambda index: 10 if index < 10 else 16)
    Assignment.objects.filter(pk=hearts.pk).update(n_games=20)
    submission.team.refresh_from_db()
    longer = grade_team(team=submission.team, by=ida, at=NOW)
    fakes.play(longer, lambda index: 10 if index < 20 else 16)
    assert (graded.n_games, longer.n_games) == (20, 40)
    pair = pair_of(longer, graded)
    assert pair is not None
    found = pair.comparison
    assert (found.difference.n, found.left_out) == (5, 5)
    assert (found.difference.mean, found.difference.ties) == (0, 5)


@pytest.mark.slow
def test_an_evaluation_has_shares_and_points_of_each_opponent(graded: Evaluation) -> None:
    fakes.play(graded, beats_the_first)
    assert (graded.status, graded.verdict) == (Status.FINISHED, Verdict.ACCEPTED)
    assert graded.wins is not None
    assert graded.wins.shares == {"hearts/low_card": 1.0, "hearts/careful": 0.25}
    assert graded.won == 0.625
    assert graded.mean == (10 * 10 + 5 * 20 + 5 * 30) / 20
    assert graded.low == graded.high == graded.mean  # every deal went the same way
    assert graded.lost == 0


@pytest.mark.slow
def test_faults_count_the_worst_score_and_no_win(graded: Evaluation) -> None:
    fakes.play(graded, lambda index: FaultKind.CRASH if index % 2 else 10)
    assert graded.faults == 10
    assert graded.won == 0.5
    assert max(score for score, _ in graded.histogram) == 26


@pytest.mark.slow
def test_an_evaluation_that_faults_stopped_has_figures_too(graded: Evaluation) -> None:
    graded.spec["max_consecutive_faults"] = 3
    graded.save(update_fields=["spec"])
    fakes.play(graded, lambda _: FaultKind.CRASH)
    assert (graded.verdict, graded.won, graded.mean) == (Verdict.FAULTY, 0.0, 26.0)


def test_results_of_other_seats_than_asked_for_are_refused(graded: Evaluation) -> None:
    batch = fakes.jobs(graded)[0]
    first, *_ = fakes.played(request_of(batch))
    for seating in ((1, 0), ()):
        with pytest.raises(RecordError, match="was played at seats"):
            record_batch(fakes.report(batch, BatchPhase.PLAYING, [replace(first, seating=seating)]))


@pytest.mark.parametrize(
    ("seat", "words"), [(1, "ended by an opponent's fault"), (99, "a fault of seat 99")]
)
def test_results_that_a_fault_of_another_seat_ended_are_refused(
    seat: int, words: str, graded: Evaluation
) -> None:
    batch = fakes.jobs(graded)[0]
    first, *_ = fakes.played(request_of(batch), lambda _: FaultKind.CRASH)
    fault = first.record.fault
    assert fault is not None
    other = replace(first, record=replace(first.record, fault=replace(fault, seat=seat)))
    with pytest.raises(RecordError, match=words):
        record_batch(fakes.report(batch, BatchPhase.PLAYING, [other]))


@pytest.mark.slow
def test_only_the_agents_own_seats_are_audited_in_games_against_others(graded: Evaluation) -> None:
    fakes.play(graded)
    request = audit_request(Audit.objects.get(evaluation=graded))
    seats = {game.index: request.seats_of(game) for game in request.games}
    assert len(seats) == 10
    assert {seat for (seat,) in seats.values()} == {0, 1}
    for index, (seat,) in seats.items():
        assert game_setup(graded.parsed_spec, index).seating[seat] == 0
    assert from_json(to_json(request), AuditRequest).digest() == request.digest()


@pytest.mark.slow
def test_a_report_about_an_opponents_seat_is_refused(graded: Evaluation) -> None:
    fakes.play(graded)
    request = audit_request(Audit.objects.get(evaluation=graded))
    game = request.games[0]
    (own,) = request.seats_of(game)
    seat = SeatAudit(index=game.index, seat=1 - own, conclusion=Conclusion.SAME, turns=20, runs=4)
    with pytest.raises(RecordError, match="was not to be audited"):
        record_audit(AuditReport(audit=request.audit, seats=(seat,)))


@pytest.mark.slow
def test_figures_stand_in_the_lists_spreadsheets_and_files_as_the_game_needs_them(
    graded: Evaluation, hearts: Assignment, ida: User
) -> None:
    fakes.play(graded, beats_the_first)
    assert [game.score for game in selectors.worst_games(graded, limit=2)] == [30, 30]
    header, row = gradebook_csv(hearts).splitlines()[:2]
    assert dict(zip(header.split(","), row.split(","), strict=True))["Won"] == "0.625"
    columns = board_csv(standings(hearts, ida)).splitlines()[0].split(",")
    assert columns[3:6] == ["Won", "Won ±", "Mean"]
    assert "Lost" not in columns
    export = from_json(export_json(graded), EvaluationExport)
    assert len(export.agents) == 3
    assert export.results[5].seating == (1, 0)
    assert export.against == graded.wins
    assert export.points == 50  # the first is beaten, and the mean is 17.5
    assert json.loads(export_json(graded))["secret"] is None


# Standings


@pytest.mark.slow
def test_fewest_points_lead_the_board(graded: Evaluation, hearts: Assignment, ida: User) -> None:
    fakes.play(graded, lambda _: 12)
    for name, score in (("hearts/low_card", 25), ("hearts/careful", 9)):
        (run,) = request_house(assignment=hearts, by=ida, names=[name], at=NOW)
        fakes.play(run, lambda _, score=score: score)
    board = standings(hearts, ida)
    assert [(line.alias, line.mean, line.won) for line in board.house] == [
        ("hearts/careful", 9.0, 1.0),
        ("hearts/low_card", 25.0, 0.0),
    ]
    assert [(row.mean, row.won) for row in board.rows] == [(12.0, 1.0)]


# Again, at home


def test_commands_name_opponents_seats_and_deals(graded: Evaluation, hearts: Assignment) -> None:
    Assignment.objects.filter(pk=hearts.pk).update(secret_revealed_at=NOW)
    graded.assignment.refresh_from_db()
    whole = reproduce_command(graded)
    assert "--against house:hearts/low_card --against house:hearts/careful --games 10" in whole
    assert "--game hearts --variant standard --players 2 --set hands=1" in whole
    one = reproduce_command(graded, 16)
    assert "--with house:hearts/careful --seat 2 --index 1 " in one

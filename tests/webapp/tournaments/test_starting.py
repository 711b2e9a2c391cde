"""Starting a tournament: who takes part, what is frozen, what is refused."""

from collections.abc import Callable
from statistics import fmean, stdev

import pytest
from django.db import IntegrityError, transaction

from grader.core.deals import commitment
from grader.results.statistics import t_quantile
from tests.support import tables
from tests.support.every import every
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.services import (
    TournamentSetting,
    release,
    scheduling,
    start_tournament,
)
from webapp.contests.tournaments.services.starting import MAX_GAMES, table_spread
from webapp.grading.evaluations.models import Kind, Status
from webapp.grading.jobs.models import JobStatus
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Role

Start = Callable[..., Tournament]


def test_a_tournament_begins_hidden_with_every_counted_submission(start: Start) -> None:
    found = start(references=("outer",))
    people = list(found.participants.all())
    assert [each.role for each in people] == ["entrant"] * 5 + ["reference", "filler"]
    assert [each.number for each in people] == list(range(7))
    assert people[0].name == people[0].submission.team.alias  # type: ignore[union-attr]  # a team's
    assert (found.status, found.stage) == (Status.QUEUED, Stage.HIDDEN)
    assert found.commitment == commitment(bytes(found.secret))
    assert found.public_secret is None
    assert {job.queue for job in tables.jobs(found)} == {Kind.GRADED.value}
    Assignment.objects.update(options={"variant": "standard", "players": 5})
    found.refresh_from_db()
    assert found.parsed_spec.sizes == (2,), "frozen"
    assert found.requested_at == NOW


def test_a_team_without_a_ready_submission_does_not_take_part(
    start: Start, entrants: list[Submission]
) -> None:
    Submission.objects.filter(pk=entrants[1].pk).update(status=SubmissionStatus.REJECTED)
    assert entrants[1] not in [each.submission for each in start().participants.all()]


def test_a_release_cannot_be_taken_back(start: Start, ida: User) -> None:
    found = start()
    release(tournament=found, by=ida, stage=Stage.RESULTS)
    for stage in (Stage.RESULTS, Stage.PARTICIPANTS):
        with pytest.raises(Refused, match="already"):
            release(tournament=found, by=ida, stage=stage)
    found.refresh_from_db()
    assert found.stage == Stage.RESULTS


def test_only_as_many_tables_as_slots_can_use_are_requested_at_once(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "TABLES_A_SLOT", 4)
    assert len(tables.jobs(start(rounds=40))) == 6  # of two rounds, three tables each
    assert len(tables.jobs(start(rounds=40, games_per_table=1, duplicates=True))) == 8


def test_games_of_a_large_tournament_are_not_read_while_graders_have_enough(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "LARGE", 0)
    tournament = start(rounds=40, games_per_table=1, duplicates=True)
    all_wanted = len(tables.jobs(tournament))
    for left, then in ((5, 5), (4, all_wanted)):  # of two slots
        for job in tables.jobs(tournament)[left:]:
            job.advance(JobStatus.CANCELLED)
        scheduling.schedule_next(tournament, at=NOW, thoroughly=False)
        assert len(tables.jobs(tournament)) == then


@every(
    ("changes", "words"),
    [
        ({"sizes": (9,)}, "players"),
        ({"sizes": (6,)}, "players"),
        ({"sizes": (2, 2)}, "different"),
        ({"games_per_table": 3, "rotated": True}, "multiple"),
        ({"fillers": ("nobody",)}, "nobody"),
        ({"rounds": None, "half_width": 0.5}, "not known yet"),
        ({"rounds": None, "games": 10**9}, str(MAX_GAMES)),
        ({"rounds": 10**6}, str(MAX_GAMES)),
        ({"self_play_games": MAX_GAMES // 5}, str(MAX_GAMES)),
        ({"sizes": ()}, "Sizes"),
    ],
)
def test_impossible_tournament_settings_are_refused(
    start: Start, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        start(**changes)
    assert not Tournament.objects.exists()


def test_a_tournament_needs_submissions_and_an_instructor(
    assignment: Assignment, ida: User, enrol: Callable[..., User]
) -> None:
    people = [enrol(f"{role.value}-zoe", role) for role in (Role.ASSISTANT, Role.STUDENT)]
    for user, error in ((ida, Refused), *((user, NotAllowed) for user in people)):
        with pytest.raises(error):
            start_tournament(
                assignment=assignment, by=user, title="Cup", setting=TournamentSetting(sizes=(2,))
            )


def test_a_number_of_games_is_played_in_whole_rounds(start: Start) -> None:
    assert start(rounds=None, games=20).n_games == 24


@pytest.mark.slow
def test_a_precision_rests_on_the_tournament_before(start: Start) -> None:
    tables.play(start(rounds=6))
    rough, fine = (start(rounds=None, half_width=width).n_games for width in (6.0, 3.0))
    assert rough < fine


@pytest.mark.slow
def test_the_spread_of_a_short_tournament_is_that_of_its_tables(
    start: Start, assignment: Assignment
) -> None:
    played = tables.play(start(rounds=3))
    scores: dict[int, dict[int, list[int]]] = {}
    for game in played.games.all():
        for number, score in zip(game.numbers, game.scores, strict=True):
            scores.setdefault(number, {}).setdefault(game.table, []).append(score)
    spreads = [stdev(map(fmean, own.values())) for own in scores.values()]
    measured = table_spread(assignment)
    assert measured is not None
    assert measured.sd == pytest.approx(fmean(spreads))


@pytest.mark.slow
def test_the_spread_with_duplicates_is_that_of_rounds(start: Start, assignment: Assignment) -> None:
    played = tables.play(start(rounds=3, games_per_table=1, duplicates=True))
    standings = played.standings
    assert standings is not None
    assert min(row.tables for row in standings.rows if row.tables) > 3
    spreads = [
        row.mean.half_width / t_quantile(2) * row.tables**0.5
        for row in standings.rows
        if row.mean is not None and row.mean.half_width is not None
    ]
    measured = table_spread(assignment)
    assert measured is not None
    assert measured.sd == pytest.approx(fmean(spreads))


@pytest.mark.slow
def test_an_earlier_tournament_with_other_tables_gives_no_precision(start: Start) -> None:
    tables.play(start(rounds=6, games_per_table=1))
    with pytest.raises(Refused, match="2 games at each table"):
        start(rounds=None, half_width=6.0)
    tables.play(start(rounds=6))
    tables.play(start(rounds=2, sizes=(3,)))
    assert start(rounds=None, half_width=6.0).n_games


def test_the_database_keeps_a_submission_from_playing_twice(start: Start) -> None:
    first, second = start().participants.all()[:2]
    second.submission = first.submission
    with pytest.raises(IntegrityError), transaction.atomic():
        second.save()

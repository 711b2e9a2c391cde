"""Replay audits of tournaments: asked for by staff, played like those of evaluations."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.audit import AuditCause, AuditReport, Conclusion
from grader.core.errors import RecordError
from tests.support import tables
from tests.support.jobs import audit_job, audit_request, audited_seats
from tests.support.trusted import record_audit
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.tournaments.auditing import TournamentAuditing, auditing_of
from webapp.contests.tournaments.models import Tournament, TournamentAudit
from webapp.contests.tournaments.services import cancel, exclude, resume, start_audit
from webapp.grading.audits.flags import mark_flags
from webapp.grading.evaluations.models import AuditStatus
from webapp.grading.gradebook.faults import flagged_teams
from webapp.grading.graders.models import GraderKey
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import Queue
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Role

pytestmark = pytest.mark.slow

Start = Callable[..., Tournament]


@pytest.fixture
def played(start: Start) -> Tournament:
    """A tournament of five teams that is over; one of them crashes whenever it moves."""
    return tables.play(start(), tables.always(1))


@pytest.fixture
def audits(played: Tournament, ida: User) -> list[TournamentAudit]:
    return start_audit(tournament=played, by=ida, n_games=3, at=NOW)


def answer(audit: TournamentAudit, conclusion: Conclusion = Conclusion.SAME) -> AuditReport:
    request = audit_request(audit)
    cause = AuditCause.PAUSES if conclusion is Conclusion.DIFFERS else None
    return AuditReport(audit=request.audit, seats=audited_seats(request, conclusion, cause))


def shown(tournament: Tournament) -> TournamentAuditing:
    return auditing_of(tournament, game_address=str)


def test_each_teams_agent_is_asked_for_with_its_seats(
    audits: list[TournamentAudit], played: Tournament, entrants: list[Submission]
) -> None:
    assert [audit.participant.number for audit in audits] == [0, 1, 2, 3, 4]
    for audit in audits:
        request = audit_request(audit)
        assert request.agent.sha256 == entrants[audit.participant.number].sha256
        assert request.limits == played.parsed_spec.limits
        assert [game.index for game in request.games] == audit.indices
        for game in request.games:
            plays = played.games.filter(index=game.index, turns__gt=0).order_by("pk")
            first = next(play for play in plays if audit.participant.number in play.numbers)
            assert game.record == first.record
            assert {first.numbers[seat] for seat in request.seats_of(game)} == {
                audit.participant.number
            }
    jobs = Job.objects.filter(queue=Queue.AUDITS)
    assert [job.n_games for job in jobs] == [len(audit.indices) for audit in audits] == [3] * 5


def test_the_audit_log_says_who_requested_how_many_audits(
    audits: list[TournamentAudit], ida: User
) -> None:
    act = Act.objects.get(kind="tournament.audited")
    assert (act.by_id, act.after) == (ida.pk, {"agents": len(audits), "games of each": 3})


def test_an_answer_finishes_it_and_flags_are_shown_first(
    audits: list[TournamentAudit], played: Tournament
) -> None:
    standings = played.standings_json
    record_audit(answer(audits[0]), at=NOW)
    record_audit(answer(audits[2], Conclusion.DIFFERS), at=NOW)
    record_audit(answer(audits[2]), at=NOW)
    auditing = shown(played)
    assert auditing.headline == "2 of 5 agents audited, 1 flagged"
    assert auditing.agents[0].audit == audits[2]
    seats = auditing.agents[0].groups[0].seats
    keys = set(map(str, played.games.values_list("pk", flat=True)))
    assert len(seats) == audits[2].n_games
    assert {seat.address for seat in seats} <= keys
    played.refresh_from_db()
    assert played.standings_json == standings


def test_flags_that_staff_have_seen_are_counted_so_and_wait_for_nobody(
    audits: list[TournamentAudit], played: Tournament, ida: User
) -> None:
    record_audit(answer(audits[2], Conclusion.DIFFERS), at=NOW)
    assert len(flagged_teams(played.assignment)) == 1
    mark_flags(audit=audits[2], by=ida, is_seen=True, note="Talked to them", at=NOW)
    assert not flagged_teams(played.assignment)
    assert shown(played).headline == "1 of 5 agents audited, 1 flagged (1 marked as seen)"
    act = Act.objects.get(kind="flag.seen")
    team = audits[2].participant.submission.team  # type: ignore[union-attr]  # a team's
    assert (act.by, act.team, act.reason, act.at) == (ida, team, "Talked to them", NOW)


def test_an_answer_about_another_agents_seat_is_refused(audits: list[TournamentAudit]) -> None:
    report = answer(audits[0])
    other = replace(report.seats[0], seat=1 - report.seats[0].seat)
    with pytest.raises(RecordError, match="not to be audited"):
        record_audit(replace(report, seats=(other,)), at=NOW)


def test_the_graders_of_the_sampled_tables_decline(
    audits: list[TournamentAudit], played: Tournament
) -> None:
    for key in ("a", "b"):
        GraderKey.objects.create(public_key=key * 64, name=key, first_seen_at=NOW, admitted_at=NOW)
    played.jobs.update(claimed_by="a" * 64)
    assert audit_request(audits[0], at=NOW).not_by == ("a" * 64,)


def test_a_request_stays_the_same_when_the_tournament_goes_on(
    audits: list[TournamentAudit], played: Tournament, ida: User
) -> None:
    before = [audit_request(audit).digest() for audit in audits]
    disqualified = played.participants.get(number=4)
    exclude(participant=disqualified, by=ida, reason="copied", from_beginning=True)
    played.refresh_from_db()
    games = played.games.count()
    assert tables.play(played).games.count() > games
    assert [audit_request(audit).digest() for audit in audits] == before


def test_what_is_audited_is_left_out_and_what_failed_is_not(
    audits: list[TournamentAudit], played: Tournament, ida: User
) -> None:
    with pytest.raises(Refused, match="left to audit"):
        start_audit(tournament=played, by=ida, n_games=3)
    for _ in range(3):
        asked = audit_request(audits[0])
        record_audit(AuditReport(audit=asked.audit, system_fault="Docker died"))
    audits[0].refresh_from_db()
    assert (audits[0].status, audit_job(audits[0]).attempt) == (AuditStatus.FAILED, 3)
    assert shown(played).left == 1
    (again,) = start_audit(tournament=played, by=ida, n_games=1)
    assert again.participant == audits[0].participant


def test_a_tournament_that_goes_on_is_not_audited(start: Start, ida: User) -> None:
    tournament = start()
    tables.play(tournament, tables=2)
    with pytest.raises(Refused, match="over"):
        start_audit(tournament=tournament, by=ida, n_games=3)
    cancel(tournament=tournament, by=ida)
    assert start_audit(tournament=tournament, by=ida, n_games=3)
    resume(tournament=tournament, by=ida)


def test_an_audit_of_a_tournament_needs_the_right_to_check_integrity(
    played: Tournament, ida: User, entrants: list[Submission]
) -> None:
    student = entrants[0].uploaded_by
    course = played.assignment.course
    place = course.enrolments.filter(user=student)
    for role in (Role.STUDENT, Role.OBSERVER, Role.GRADER, Role.ASSISTANT):
        place.update(role=role)
        with pytest.raises(NotAllowed):
            start_audit(tournament=played, by=student, n_games=3)
    course.assistant_rights = ["integrity"]
    course.save(update_fields=["assistant_rights"])
    played.refresh_from_db()
    assert start_audit(tournament=played, by=student, n_games=3)

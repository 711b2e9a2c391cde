"""Replay audits on pages: shown to staff, hidden from students."""

from dataclasses import replace

import pytest
from django.test import Client

from grader.audit import AuditReport, Conclusion, SeatAudit
from tests.support.jobs import audit_request, audited_seats
from tests.support.pages import signed_in, text_of
from tests.support.story import DIFFERS, SAME
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.grading.evaluations.models import Audit, Evaluation
from webapp.grading.evaluations.services.insights import compute_insights
from webapp.grading.submissions.models import Submission

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


INCONCLUSIVE = replace(
    SAME, seat=1, conclusion=Conclusion.INCONCLUSIVE, detail="ended: <script>alert(1)</script>"
)


def audited(evaluation: Evaluation, *seats: SeatAudit) -> Evaluation:
    """The evaluation with an audit that found this in the first game of its sample."""
    audit = Audit.objects.get(evaluation=evaluation)
    request = audit_request(audit)
    first = tuple(replace(seat, index=request.games[0].index) for seat in seats)
    record_audit(AuditReport(audit=request.audit, seats=first))
    return evaluation


def page_of(client: Client, evaluation: Evaluation) -> str:
    return text_of(client.get(f"/evaluations/{evaluation.uuid}/"))


def test_staff_read_that_all_moves_were_repeated_and_have_nothing_to_mark(
    world: World, ada_graded: Evaluation
) -> None:
    page = page_of(signed_in(world.ida), audited(ada_graded, SAME))
    assert "Replay audit" in page
    assert "1 game × 1 seat, all moves repeated." in page
    assert "Mark as seen" not in page_of(signed_in(world.ida), ada_graded)
    assert signed_in(world.ida).get(f"/evaluations/{ada_graded.uuid}/flags/").status_code == 404


def test_staff_read_a_flag_with_turn_moves_pause_and_caution_and_students_do_not(
    world: World, ada_graded: Evaluation
) -> None:
    evaluation = audited(ada_graded, SAME, DIFFERS)
    page = page_of(signed_in(world.ida), evaluation)
    assert "1 game × 2 seats: 1 flagged, 1 repeated." in page
    index = audit_request(evaluation.audit).games[0].index
    link = f'href="/evaluations/{evaluation.uuid}/games/{index}/">Game {index}</a>'
    assert f"{link}, seat 2, turn 5" in page
    assert "after the others had taken 60.4 ms" in page
    assert "without pauses: 1× d0, seat 2 discards card 1, the blue 2" in page
    assert "never a verdict" in page
    assert evaluation.submission is not None
    page = text_of(signed_in(world.ida).get(f"/submissions/{evaluation.submission.pk}/"))
    assert "1 flagged" in page
    client = signed_in(world.ada)
    pages = page_of(client, evaluation), page_of(client, evaluation)
    pages += (text_of(client.get(f"/submissions/{evaluation.submission.pk}/")),)
    for page in pages:
        assert "audit" not in page.lower()
    page = page_of(signed_in(world.cleo), evaluation)
    assert "1 flagged" in page
    assert "Mark as seen" not in page


def test_text_of_agents_is_escaped(world: World, ada_graded: Evaluation) -> None:
    page = page_of(signed_in(world.ida), audited(ada_graded, INCONCLUSIVE))
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page


def test_staff_mark_flags_as_seen_and_the_lists_leave_them_out(
    world: World, ada_graded: Evaluation
) -> None:
    evaluation = audited(ada_graded, SAME, DIFFERS)
    ida, roster = signed_in(world.ida), "/courses/coop/assignments/hanabi/teams/?show=check"
    assert "made different moves in the replay audit" in text_of(ida.get(roster))
    address = f"/evaluations/{evaluation.uuid}/flags/"
    page = page_of(ida, evaluation)
    assert f'href="{address}"' in page
    assert "Mark as seen…" in page
    assert "Mark the flags of" in text_of(ida.get(address))
    assert ida.post(address, {"note": "", "mark": "seen"}).status_code == 422
    page = text_of(ida.post(address, {"note": "Reads no clock", "mark": "seen"}, follow=True))
    assert "are marked as seen." in page
    assert "Marked as seen by Ida Rhodes" in page
    assert "Reads no clock" in page
    assert "different moves in the replay audit" not in text_of(ida.get(roster))
    again = text_of(ida.post(address, {"note": "Me too", "mark": "seen"}))
    assert "marked so before" in again
    assert "Reads no clock" in text_of(ida.get(address))
    ida.post(address, {"note": "Wrong agent", "mark": "not seen"})
    assert "made different moves in the replay audit" in text_of(ida.get(roster))


@pytest.mark.parametrize("seat", [SAME, DIFFERS])
def test_students_get_one_answer_whether_an_agent_has_flags_or_none(
    world: World, ada_graded: Evaluation, seat: SeatAudit
) -> None:
    evaluation = audited(ada_graded, seat)
    assert signed_in(world.ada).get(f"/evaluations/{evaluation.uuid}/flags/").status_code == 403


@pytest.mark.parametrize("address", ["/evaluations/{run}/live/", "/submissions/{upload}/live/"])
def test_pages_of_staff_follow_an_audit_until_it_is_answered(
    address: str, world: World, practised: Submission, ada_graded: Evaluation
) -> None:
    compute_insights(ada_graded)
    address = address.format(run=ada_graded.uuid, upload=practised.pk)
    ida = signed_in(world.ida)
    first = ida.get(address)
    assert 'hx-trigger="every 5s"' in text_of(first)
    assert ida.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    request = audit_request(Audit.objects.get())
    record_audit(AuditReport(audit=request.audit, seats=audited_seats(request)))
    last = ida.get(address, headers={"If-None-Match": first["ETag"]})
    assert last["HX-Retarget"] == "#live"
    assert "all moves repeated" in text_of(last)
    assert "hx-get" not in text_of(last)


def test_staff_read_that_an_audit_waits_and_pages_of_students_do_not_follow_it(
    world: World, ada_graded: Evaluation, practised: Submission
) -> None:
    assert "will be played again when no other games wait" in page_of(
        signed_in(world.ida), ada_graded
    )
    compute_insights(ada_graded)
    for address in (f"/evaluations/{ada_graded.uuid}/", f"/submissions/{practised.pk}/"):
        for rest in ("", "live/"):
            assert "hx-get" not in text_of(signed_in(world.ada).get(address + rest))

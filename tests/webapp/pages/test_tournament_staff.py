"""Instructors' decisions on a tournament."""

from collections import Counter

import pytest

from grader.audit import AuditCause, AuditReport, Conclusion
from tests.support import tables, tournaments
from tests.support.jobs import audit_request, audited_seats
from tests.support.pages import signed_in, text_of
from tests.support.tournaments import ASSIGNMENT, CRASHES, Story
from tests.support.trusted import record_audit
from tests.support.world import World
from tests.webapp.pages.tournament_pages import address_of, read
from webapp.contests.tournaments import selectors
from webapp.contests.tournaments.models import Stage, Tournament, TournamentAudit
from webapp.grading.evaluations.models import AuditStatus, Status

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_staff_see_who_sat_at_spoiled_games(story: Story) -> None:
    spoiled = list(story.over.games.exclude(fault_kind=""))
    beside = Counter(number for game in spoiled for number in set(game.numbers) - {CRASHES})
    games = max(beside.values())
    assert {game.culprit for game in spoiled} == {CRASHES}
    found = selectors.faults(story.over)[0].beside[0]
    assert found[1] == games == beside[found[0].number]
    shown = f"{found[0]} {games}"
    assert shown in read(signed_in(story.world.ida), address_of(story.over))
    assert "Most often at the same table" not in read(
        signed_in(story.world.ada), address_of(story.over)
    )


def test_students_do_not_learn_of_flags_and_only_instructors_may_remove(story: Story) -> None:
    assert TournamentAudit.objects.filter(flags__gt=0).exists()
    numbers = story.over.participants.values_list("number", flat=True)
    addresses = [address_of(story.over, f"participants/{number}/flags/") for number in numbers]
    ada, address = signed_in(story.world.ada), address_of(story.over, "participants/4/")
    assert {ada.get(address).status_code for address in addresses} == {403}
    for user in (story.world.ada, story.world.cleo):
        assert "Remove participant" not in read(signed_in(user), address)
    assert "Remove participant" in read(signed_in(story.world.ida), address)


def test_a_tournament_can_be_stopped_and_resumed(story: Story) -> None:
    client = signed_in(story.world.ida)
    client.post(address_of(story.running, "cancel/"))
    assert "Resume tournament" in read(client, address_of(story.running))
    client.post(address_of(story.running, "resume/"))
    played = tables.play(story.running)
    assert (played.status, played.games_done) == (Status.FINISHED, played.n_games)


@pytest.mark.parametrize(
    ("how", "effect"),
    [
        ("disqualify", "Its games are played again without it."),
        ("withdraw", "Its games stay. Later rounds are played without it."),
    ],
)
def test_a_removal_needs_a_reason_and_says_what_happens_to_the_games(
    story: Story, how: str, effect: str
) -> None:
    client = signed_in(story.world.ida)
    address = address_of(story.running, "participants/0/exclude/")
    page = client.post(address, {"reason": " ", "how": how}, follow=True)
    assert "Give a reason" in text_of(page)
    page = client.post(address, {"reason": "asked for it", "how": how}, follow=True)
    assert effect in text_of(page)
    first = story.running.participants.get(number=0).excluded_from_round
    assert (first == 0) == (how == "disqualify")


FORM = {
    "title": "Autumn cup", "sizes": ["2"], "length": "3", "length_of": "rounds",
    "games_per_table": "2", "self_play_games": "0", "fillers": ["iggi"],
    "faults_to_removal": "3", "overtime": "counted", "forbidden": "removed",
}  # fmt: skip


@pytest.fixture
def entered(world: World) -> World:
    """Two teams with a submission."""
    for user in (world.ada, world.ben):
        tournaments.enter(world, user)
    return world


def test_an_instructor_starts_one_from_the_form(entered: World) -> None:
    client = signed_in(entered.ida)
    address = ASSIGNMENT + "tournaments/new/"
    assert "2 teams would take part" in read(client, address)
    response = client.post(address, FORM)
    found = Tournament.objects.get()
    assert response["Location"] == address_of(found)
    assert (found.title, found.n_games, found.stage) == ("Autumn cup", 6, Stage.HIDDEN)
    assert found.parsed_spec.policy.forbidden == "removed"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"length_of": "half_width"}, "not known yet"),
        ({"sizes": ["5"], "fillers": []}, "do not fill a table of 5"),
        ({"references": ["iggi"]}, "cannot do both"),
        ({"sizes": ["6"]}, "Select a valid choice"),
        ({"rotated": "on", "games_per_table": "3"}, "must be a multiple"),
    ],
)
def test_a_form_that_makes_no_tournament_says_why(
    changes: dict[str, object], words: str, entered: World
) -> None:
    page = signed_in(entered.ida).post(ASSIGNMENT + "tournaments/new/", {**FORM, **changes})
    assert words in text_of(page)
    assert not Tournament.objects.exists()


def test_students_find_tournaments_once_there_is_one(entered: World) -> None:
    assert "/tournaments/" not in read(signed_in(entered.ada), ASSIGNMENT)
    started = tournaments.start(entered)
    assert "/tournaments/" not in read(signed_in(entered.ada), ASSIGNMENT)
    Tournament.objects.filter(pk=started.pk).update(stage=Stage.PARTICIPANTS)
    assert "/tournaments/" in read(signed_in(entered.ada), ASSIGNMENT)


def test_staff_start_an_audit_and_read_what_it_found(story: Story) -> None:
    ida, address = signed_in(story.world.ida), address_of(story.over, "audit/")
    audits = TournamentAudit.objects.order_by("pk")
    audits.delete()
    assert "Games of each agent" in read(ida, address)
    assert ida.post(address, {"games": "0"}).status_code == 422
    ida.post(address, {"games": "2"})
    one = audits[0]
    seats = audited_seats(audit_request(one), Conclusion.DIFFERS, AuditCause.PAUSES)
    record_audit(AuditReport(audit=audit_request(one).audit, seats=seats))
    page = read(ida, address_of(story.over))
    assert f"1 of {len(audits)} agents audited, 1 flagged." in page
    assert f"/games/{story.over.games.filter(index=seats[0].index).earliest('pk').pk}/" in page
    assert "Audit games" not in page
    assert "audit" not in read(signed_in(story.world.ada), address_of(story.over)).lower()
    roster = read(ida, ASSIGNMENT + "teams/?show=check")
    assert "different moves in the replay audit" in roster
    assert f'href="{address_of(story.over)}#audit"' in roster
    assert "made different moves in the replay audit" in roster


def test_the_audits_on_a_page_follow_until_all_are_answered(story: Story) -> None:
    ida, address = signed_in(story.world.ida), address_of(story.over, "audit/live/")
    assert f'hx-get="{address}"' in read(ida, address_of(story.over))
    waiting = TournamentAudit.objects.filter(status=AuditStatus.QUEUED).order_by("pk")
    tag = ida.get(address)["ETag"]
    for audit in list(waiting):
        assert ida.get(address, headers={"If-None-Match": tag}).status_code == 304
        request = audit_request(audit)
        record_audit(AuditReport(audit=request.audit, seats=audited_seats(request)))
        news = ida.get(address, headers={"If-None-Match": tag})
        assert (news["HX-Retarget"], news["HX-Reswap"]) == ("#audits", "outerHTML")
        tag = news.get("ETag", "")
    assert not waiting.all().exists()
    assert "hx-get" not in text_of(news)
    assert "audited, 1 flagged" in text_of(news)
    assert signed_in(story.world.ada).get(address).status_code == 403


def test_staff_mark_a_participants_flags_as_seen(story: Story) -> None:
    ida = signed_in(story.world.ida)
    audit = TournamentAudit.objects.get(flags__gt=0)
    address = address_of(story.over, f"participants/{audit.participant.number}/flags/")
    assert f'href="{address}"' in read(ida, address_of(story.over))
    roster = ASSIGNMENT + "teams/?show=check"
    assert f'href="{address_of(story.over)}#audit"' in read(ida, roster)
    page = text_of(ida.post(address, {"note": "A cache", "mark": "seen"}, follow=True))
    assert "1 flagged (1 marked as seen)" in page
    assert "Marked as seen by Ida Rhodes" in page
    assert f'href="{address_of(story.over)}#audit"' not in read(ida, roster)
    assert read(ida, address_of(story.over, "participants/0/"))
    assert ida.get(address_of(story.over, "participants/0/flags/")).status_code == 404

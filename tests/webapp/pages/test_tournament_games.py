"""The games of a tournament, and the files that prove them."""

import csv
import io
from dataclasses import replace

import pytest

from grader.core.records import from_json
from grader.tournament import TournamentExport, verify_tournament
from tests.support import tables
from tests.support.pages import signed_in
from tests.support.tournaments import CHEATS, CRASHES, Story
from tests.webapp.pages.tournament_pages import address_of, read, status
from webapp.contests.tournaments.models import Tournament, TournamentGame
from webapp.contests.tournaments.selectors import on_same_deal
from webapp.contests.tournaments.services import exclude
from webapp.grading.evaluations.models import columns_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_files_and_tables_agree_with_the_page_and_hold_nobodys_output(story: Story) -> None:
    text = read(signed_in(story.world.ada), address_of(story.over, "export/"))
    verified = verify_tournament(from_json(text, TournamentExport))
    assert verified.ok
    assert verified.plan_derived
    assert verified.counted == story.over.n_games - len(void(story.over))
    assert "KeyError" not in text
    staff = read(signed_in(story.world.ida), address_of(story.over, "export/"))
    assert "thinking about turn" in staff
    assert "thinking about turn" not in text
    client = signed_in(story.world.ada)
    page = read(client, address_of(story.over, f"games/?of={CRASHES}&show=faults"))
    assert "that ended with a fault</h1>" in page
    assert status(client, address_of(story.over, "games/?of=99")) == 404
    standings = rows(read(client, address_of(story.over, "standings.csv")))
    assert len(standings) == 8
    assert standings[0]["rank"] == "1"
    games = rows(read(client, address_of(story.over, "games.csv")))
    assert len(games) == 2 * story.over.games.count()
    faults = rows(read(client, address_of(story.over, "faults.csv")))
    assert {row["number"] for row in faults} == {str(CRASHES)}
    pairs = rows(read(client, address_of(story.over, "matrix.csv")))
    assert {row["number"] for row in pairs}.isdisjoint({str(CHEATS)})
    assert status(client, address_of(story.over, "other.csv")) == 404


def test_the_file_of_a_tournament_has_no_digest_of_others_programs(story: Story) -> None:
    """A file can name a known digest. One's own, and house agents', are no secret."""
    ada, participants = story.world.ada, story.over.participants.order_by("number")
    export = from_json(read(signed_in(ada), address_of(story.over, "export/")), TournamentExport)
    for participant, exported in zip(participants, export.participants, strict=True):
        is_own = participant.submission is None or ada in participant.submission.team.users.all()
        assert (exported.agent.sha256 == participant.agent["sha256"]) is is_own
    staff = from_json(
        read(signed_in(story.world.ida), address_of(story.over, "export/")), TournamentExport
    )
    programs = [participant.agent["sha256"] for participant in participants]
    assert [each.agent.sha256 for each in staff.participants] == programs


def void(tournament: Tournament) -> tuple[int, ...]:
    from webapp.contests.tournaments.services.scheduling import ledger_of

    return ledger_of(tournament).void


def test_a_faults_output_is_shown_to_the_team_and_staff_only(story: Story) -> None:
    """The sentence about a fault quotes the last line of output."""
    spoiled = story.over.games.exclude(fault_kind="").order_by("index")[0]
    game = f"games/{spoiled.pk}/"
    beside = f"{game}beside/{on_same_deal(spoiled)[0].pk}/"
    ada, ben, staff = story.world.ada, story.world.ben, (story.world.cleo, story.world.ida)
    for rest in (game, game + "record/", f"participants/{CRASHES}/", beside):
        address = address_of(story.over, rest)
        for user in (ben, *staff):  # Ben's agent is number CRASHES
            assert "KeyError" in read(signed_in(user), address), rest
        assert "KeyError" not in read(signed_in(ada), address), rest
    address = address_of(story.over, game)
    assert "thinking about turn" in read(signed_in(ben), address)
    assert "thinking about turn" not in read(signed_in(ada), address)
    assert "<script>alert" not in read(signed_in(story.world.ida), address)


def test_the_output_of_a_play_that_does_not_count_is_for_the_team_and_staff_only(
    story: Story,
) -> None:
    spoiled = story.over.games.exclude(fault_kind="")[0].played
    clean = story.over.games.filter(fault_kind="")[0]
    assert spoiled is not None
    assert clean.played is not None
    twice = replace(clean.played, other_attempt=spoiled.record)
    TournamentGame.objects.filter(pk=clean.pk).update(packed=columns_of(twice)["packed"])
    address = address_of(story.over, "export/")
    assert "KeyError" in read(signed_in(story.world.ida), address)
    assert "KeyError" not in read(signed_in(story.world.ada), address)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_a_game_leads_to_its_neighbours_and_to_its_deal_at_other_tables(story: Story) -> None:
    over, ada = story.over, signed_in(story.world.ada)
    games = list(over.games.order_by("index", "pk"))
    context = ada.get(address_of(over, f"games/{games[1].pk}/")).context
    assert context["previous_url"] == address_of(over, f"games/{games[0].pk}/")
    assert context["next_url"] == address_of(over, f"games/{games[2].pk}/")
    game = games[0]
    page = ada.get(address_of(over, f"games/{game.pk}/"))
    others = [other for _, other, _ in page.context["others"]]
    record = game.record
    assert others
    assert record is not None
    for other in others:
        played = over.games.get(pk=other.pk).record
        assert played is not None
        assert played.deal_seed == record.deal_seed
    page = read(ada, address_of(over, f"games/{game.pk}/beside/{others[0].pk}/"))
    assert page.count("data-viewer-game") == 2
    different = over.games.exclude(pk__in=[game.pk, *(other.pk for other in others)])[0]
    assert status(ada, address_of(over, f"games/{game.pk}/beside/{different.pk}/")) == 404
    assert (
        status(signed_in(None), address_of(over, f"games/{game.pk}/beside/{others[0].pk}/")) == 302
    )


def test_games_that_no_longer_count_are_marked_as_not_counted(story: Story) -> None:
    client = signed_in(story.world.ida)
    address = address_of(story.over, "games/")
    assert "not counted</span>" not in read(client, address)
    first = story.over.games.filter(fault_kind="").order_by("index")[0]
    exclude(
        participant=story.over.participants.get(number=first.numbers[0]),
        by=story.world.ida,
        reason="submitted another team’s agent",
        from_beginning=True,
    )
    assert "not counted</span>" not in read(client, address), "not while it is played again"
    tables.play(story.over)
    assert "not counted</span>" in read(client, address)
    assert "Not counted" in read(client, f"{address}{first.pk}/")
    lines = rows(read(client, address_of(story.over, "games.csv")))
    of_first = [line for line in lines if line["game"] == str(first.index)]
    assert {line["counts"] for line in of_first} <= {"0", "1"}
    assert of_first[0]["counts"] == "0"
    assert "disqualified, all its games are void" in read(client, address_of(story.over))

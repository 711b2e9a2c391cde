"""People's games: who may begin one, what a move does, how they end, what is shown of them."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from firebox_games.connect_four import ConnectFour
from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.games import GAMES, game_from_options, presented
from grader.viewer import restored
from tests.webapp.playing.conftest import Start, moves_of, play_first
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.origins import PastGame
from webapp.contests.playing.selectors import agents_for, data_of, result_words, text_of, update_of
from webapp.contests.playing.services import act, end_idle_games, leave, play_again, start_game
from webapp.contests.playing.services.ending import IDLE_AFTER, KEPT
from webapp.contests.playing.services.moves import go_on
from webapp.contests.playing.services.starting import MAX_OPEN_GAMES
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, PlayWith

pytestmark = pytest.mark.django_db


def test_house_agents_play_before_the_person_and_answer_each_move(start: Start) -> None:
    game = start(seat=1)
    assert (game.turns, game.status) == (1, GameStatus.PLAYING)
    assert data_of(game)["acts"] == 1
    game = start(seat=0)
    assert game.turns == 0
    play_first(game)
    game.refresh_from_db()
    assert (game.turns, game.notations[0]) == (2, "p0")
    assert game.charged_us == [None, None]


def test_a_game_goes_to_its_end(start: Start) -> None:
    game = start()
    while game.is_open:
        play_first(game)
    assert game.status == GameStatus.FINISHED
    assert game.ended_at is not None
    assert result_words(game) == "0 points"
    with pytest.raises(Refused, match="over"):
        act(game=game, by=game.person, turn=game.turns, move="p0")


@pytest.mark.parametrize(
    ("turn", "move", "said"),
    [(1, "p0", "moved on"), (0, "p9", "not allowed"), (0, "<b>", "not allowed")],
)
def test_a_move_that_cannot_be_made_changes_nothing(
    start: Start, turn: int, move: str, said: str
) -> None:
    game = start()
    with pytest.raises(Refused, match=said):
        act(game=game, by=game.person, turn=turn, move=move)
    game.refresh_from_db()
    assert game.turns == 0


def test_one_of_two_concurrent_moves_wins(start: Start) -> None:
    game = start()
    same = HumanGame.objects.get(pk=game.pk)
    play_first(game)
    with pytest.raises(Refused, match="moved on"):
        play_first(same)
    assert HumanGame.objects.get(pk=game.pk).turns == game.turns


def test_games_of_others_cannot_be_played(start: Start, ben: User) -> None:
    game = start()
    for step in (
        lambda: act(game=game, by=ben, turn=0, move="p0"),
        lambda: leave(game=game, by=ben),
        lambda: play_again(game=game, by=ben, same_deal=True),
    ):
        with pytest.raises(NotAllowed):
            step()


def test_people_of_the_course_play_if_the_assignment_lets_them(
    start: Start, assignment: Assignment, ada: User, ida: User, outsider: User
) -> None:
    assert start(by=ida).person == ida
    assert agents_for(outsider, assignment) == {}
    with pytest.raises(NotAllowed):
        start_game(assignment=assignment, by=outsider, seat=0, agents=["house:piers"])
    assignment.play_with = PlayWith.NOBODY
    assignment.save()
    assert agents_for(ada, assignment) == {}
    with pytest.raises(Refused):
        start()


@pytest.mark.parametrize(
    ("seat", "agents"),
    [(2, ("house:piers",)), (-1, ("house:piers",)), (0, ()), (0, ("house:nobody",)),
     (0, ("house:cs221/oracle",)), (0, ("house:piers", "house:piers"))],
)  # fmt: skip
def test_impossible_seats_are_refused(start: Start, seat: int, agents: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        start(seat=seat, agents=agents)


def test_a_person_has_few_games_at_once(start: Start) -> None:
    games = [start() for _ in range(MAX_OPEN_GAMES)]
    with pytest.raises(Refused, match="Leave one"):
        start()
    leave(game=games[0], by=games[0].person)
    assert start().is_open


def test_the_total_number_of_games_is_limited(start: Start, ida: User, settings: Settings) -> None:
    settings.MAX_HUMAN_GAMES = 1  # type: ignore[attr-defined]  # the fixture of Django's settings
    start(by=ida)
    with pytest.raises(Refused, match="1 games are being played"):
        start()


def test_an_idle_game_ends_and_is_forgotten_later(start: Start) -> None:
    game = start()
    begun = game.acted_at
    assert end_idle_games(at=begun + IDLE_AFTER) == 0
    assert end_idle_games(at=begun + IDLE_AFTER + timedelta(seconds=1)) == 1
    game.refresh_from_db()
    assert game.status == GameStatus.IDLE
    end_idle_games(at=timezone.now() + IDLE_AFTER + KEPT + timedelta(minutes=1))
    assert not HumanGame.objects.exists()


def test_a_left_game_shows_all_cards_and_takes_no_move(start: Start) -> None:
    game = start()
    leave(game=game, by=game.person)
    with pytest.raises(Refused):
        leave(game=game, by=game.person)
    assert all(place[1] for place in data_of(game)["first"]["hand0"])
    assert result_words(game) == "you left the game"


def test_the_page_is_told_nothing_that_the_seat_may_not_know(start: Start) -> None:
    game = start(seat=1)
    rules = game_from_options(game.game, game.options)
    since = 0
    for _ in range(8):
        data, update = data_of(game), update_of(game, since=0)
        assert game.deal_seed not in json.dumps([data, update])
        assert data["turns"][since:] == update_of(game, since=since).get("turns", [])
        scenes = list(presented(rules).scenes(game.seed, map(rules.parse, game.notations), 1))
        assert list(restored(data)) == scenes
        assert all(place is None or place[1] is None for each in scenes for place in each["hand1"])
        assert "??" in text_of(game)
        since = game.turns
        sensible = [move for move in moves_of(game) if not move.startswith("s")]
        act(game=game, by=game.person, turn=game.turns, move=sensible[-1])
    leave(game=game, by=game.person)
    assert "??" not in text_of(game)
    assert update_of(game, since=0) == {"turn": game.turns, "over": True}


def test_no_deal_is_one_of_an_evaluation_or_of_another_game(
    start: Start, assignment: Assignment
) -> None:
    played = {start().deal_seed for _ in range(3)}
    assert len(played) == 3
    known = {
        deal_seed(bytes(secret), index).hex()
        for secret in (assignment.secret, assignment.practice_secret)
        for index in range(assignment.n_games)
    }
    assert not played & known


def test_a_game_is_played_again_by_the_same_seats_on_the_same_deal_or_another(
    start: Start, assignment: Assignment
) -> None:
    game = start()
    with pytest.raises(Refused, match="not over"):
        play_again(game=game, by=game.person, same_deal=True)
    leave(game=game, by=game.person)
    same = play_again(game=game, by=game.person, same_deal=True)
    assert same.deal_seed == game.deal_seed
    assert same.occupants == game.occupants
    other = play_again(game=game, by=game.person, same_deal=False)
    assert other.deal_seed != game.deal_seed
    assignment.options = {"variant": "standard", "players": 3}
    assignment.save()
    game.refresh_from_db()
    with pytest.raises(Refused, match="no longer available"):
        play_again(game=game, by=game.person, same_deal=False)


def test_rules_that_were_updated_end_a_game_as_our_failure(start: Start) -> None:
    game = start()
    game.rules_version += 1
    go_on(game, at=timezone.now())
    assert game.status == GameStatus.FAILED
    assert "rules have been updated" in game.system_fault


def hearts(assignment: Assignment, ada: User, *, seat: int) -> HumanGame:
    """Ada's game of Hearts, whose agents answer at once."""
    assignment.game, assignment.options = "hearts", {"players": 4}
    assignment.save()
    agents = ["house:hearts/low_card"] * 3
    return start_game(assignment=assignment, by=ada, seat=seat, agents=agents)


def act_in_hand(game: HumanGame) -> None:
    """Pass the first three cards, or play the first one that is allowed."""
    moves = moves_of(game)
    move = " ".join(moves[:3]) if moves[0].startswith("p") else moves[0]
    act(game=game, by=game.person, turn=game.turns, move=move)


def test_three_cards_are_passed_as_one_act(assignment: Assignment, ada: User) -> None:
    game = hearts(assignment, ada, seat=0)
    passed = moves_of(game)[:3]
    act_in_hand(game)
    assert list(game.notations[:3]) == passed
    assert game.turns >= 12


@pytest.mark.parametrize("wrong", ["pXX", "p", "again"])
def test_of_several_moves_all_are_made_or_none(
    wrong: str, assignment: Assignment, ada: User
) -> None:
    game = hearts(assignment, ada, seat=0)
    first, second, *_ = moves_of(game)
    move = f"{first} {second} {first if wrong == 'again' else wrong}"
    with pytest.raises(Refused, match="not allowed"):
        act(game=game, by=ada, turn=0, move=move)
    with pytest.raises(Refused, match="not your turn"):
        act(game=game, by=ada, turn=0, move=" ".join(moves_of(game)[:4]))
    assert HumanGame.objects.get(pk=game.pk).turns == 0


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 2])
def test_updates_bring_every_scene_of_a_match_once(
    seat: int, assignment: Assignment, ada: User
) -> None:
    game = hearts(assignment, ada, seat=seat)
    shown = list(restored(data_of(game)))
    while shown[-1]["part"] < 3 and game.is_open:
        since = game.turns
        act_in_hand(game)
        update = update_of(game, since=since)
        assert update["seen"] == len(shown) - 1
        for changed in update["turns"]:
            shown.append({**shown[-1], **changed})
    rules = game.rules
    assert shown == list(presented(rules).scenes(game.seed, map(rules.parse, game.notations), seat))
    assert [scene["part"] for scene in shown if scene["seat"] is None] == [1, 2, 3]


@pytest.mark.parametrize(
    ("family", "words"), [("hearts", r"^\d+(, \d+)+ points$"), ("connect_four", r"^seat \d won$")]
)
def test_one_who_watched_is_told_the_result_of_all_seats(
    family: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "connect_four", ConnectFour)
    game = played_to_the_end(family)
    assert re.search(words, result_words(game))
    past = PastGame(
        assignment=Assignment(),
        rules=game.rules,
        deal_seed=game.deal_seed,
        actions=tuple(game.notations),
        names=(),
        address="/",
        title="",
        is_faulted=False,
    )
    past.require_going_on(game.turns - 1)
    with pytest.raises(Refused, match="over there"):
        past.require_going_on(game.turns)


def played_to_the_end(family: str) -> HumanGame:
    rules = game_from_options(family, {})
    seed = deal_seed(PRACTICE_SECRET, 0)
    state, actions = rules.deal(seed), []
    while state.seat_to_act is not None:
        action = state.legal_actions()[0]
        actions.append(rules.notate(action))
        state.apply(action)
    return HumanGame(
        game=family,
        options=dict(rules.options),
        rules_version=rules.rules_version,
        deal_seed=seed.hex(),
        actions=" ".join(actions),
        turns=len(actions),
        status=GameStatus.FINISHED,
    )

"""The checks of the conformance suite, which every game must pass.

Each check takes a game with its options fixed and raises AssertionError. A new game passes them all
without a line here: ``every_game`` finds it, its variants and its numbers of seats.
"""

import json
import re
from dataclasses import fields

import pytest

from grader.core.deals import deal_seed
from grader.core.errors import RecordError, RulesError
from grader.core.games import GAMES, Game
from grader.core.games.base import ChanceIn, JsonObject
from tests.grader.core.games.plays import (
    LONGEST_GAME,
    SECRET,
    WIRE_LIMIT,
    check,
    everything,
    moments,
    plays,
    refuses,
    state_after,
)


@check
def options_give_an_equal_game(game: Game) -> None:
    again = type(game).from_options(json.loads(json.dumps(dict(game.options))))
    assert again == game
    assert hash(again) == hash(game)
    assert list(again.options.items()) == list(game.options.items())


@check
def unknown_options_are_refused_by_name(game: Game) -> None:
    with pytest.raises(RulesError, match="no_such_option"):
        type(game).from_options({**game.options, "no_such_option": 1})


@check
def it_says_what_it_is(game: Game) -> None:
    assert game.options["variant"] in type(game).variants()
    assert GAMES[type(game).name] is type(game)
    assert re.fullmatch("[a-z][a-z0-9_]{0,19}", type(game).name), "the site keeps 20 characters"
    assert type(game).from_options({"players": type(game).default_players}).seats
    assert type(game).rules_version >= 1
    assert len(game.deal(deal_seed(SECRET, 0)).scores()) == game.seats


@check
def its_options_are_those_that_forms_and_the_guide_show(game: Game) -> None:
    assert [field.name for field in fields(type(game).options_type)] == list(game.options)
    changeable = [option.name for option in type(game).option_fields]
    assert len(set(changeable)) == len(changeable)
    assert set(changeable) <= game.options.keys() - {"variant", "players"}
    assert all(option.label for option in type(game).option_fields)


@check
def its_endings_have_words_for_people_and_fit_into_the_sites_column(game: Game) -> None:
    """The site keeps 20 characters, and has two words of its own: see ``StoredGame``."""
    words = type(game).endings
    reached = {state_after(game, seed, actions).ending for seed, actions in plays(game, 20)}
    assert reached <= words.keys()
    assert [word for word, text in words.items() if not 0 < len(word) <= 20 or not text] == []
    assert not {"fault", "stopped"} & words.keys()


@check
def the_same_seed_gives_the_same_deal(game: Game) -> None:
    first = deal_seed(SECRET, 1)
    assert everything(game, game.deal(first)) == everything(game, game.deal(first))


@check
def there_are_as_many_deals_as_it_says(game: Game) -> None:
    """A game whose chance comes later may begin every play with the same table."""
    assert game.chance is not ChanceIn.NOTHING or game.distinct_deals != 1, "it needs openings"
    if game.chance is ChanceIn.PLAY:
        return
    seeds = [deal_seed(SECRET, index) for index in range(200)]
    deals = {everything(game, game.deal(seed)) for seed in seeds}
    assert 1 < len(deals) <= (game.distinct_deals or len(seeds))
    assert game.distinct_deals or len(deals) == len(seeds), "declare distinct_deals"


@check
def a_play_comes_to_an_end(game: Game) -> None:
    for seed, actions in plays(game, 20):
        assert 0 < len(actions) < LONGEST_GAME
        state = state_after(game, seed, actions)
        assert state.turn == len(actions)
        assert state.ending
        assert state.seat_to_act is None
        assert list(state.legal_actions()) == []
        refuses(game, state, game.parse(actions[0]))


@check
def scores_stay_within_their_range(game: Game) -> None:
    low, high = game.score_range
    assert len(game.fault_scores) == game.seats
    for seed, actions in plays(game, 20):
        scores = state_after(game, seed, actions).scores()
        assert len(scores) == game.seats
        assert all(type(score) is int and low <= score <= high for score in scores)


@check
def seats_turns_and_endings_are_consistent(game: Game) -> None:
    for seed, actions in plays(game, 3):
        state = game.deal(seed)
        for turn, notation in enumerate(actions):
            assert state.turn == turn
            assert state.ending is None
            assert state.seat_to_act in range(game.seats)
            state.apply(game.parse(notation))


@check
def every_legal_action_is_accepted(game: Game) -> None:
    for seed, actions in plays(game, 2):
        for turn in moments(actions):
            for action in state_after(game, seed, actions[:turn]).legal_actions():
                state = state_after(game, seed, actions[:turn])
                state.apply(action)
                assert state.turn == turn + 1


@check
def every_other_action_is_refused(game: Game) -> None:
    """Other: legal somewhere else in these plays, for somebody."""
    known = {notation for _, actions in plays(game, 10) for notation in actions}
    refused = 0
    for seed, actions in plays(game, 2):
        for turn in moments(actions):
            state = state_after(game, seed, actions[:turn])
            accepted = [*state.legal_actions(), *state.tolerated_actions()]
            others = sorted(known - set(map(game.notate, accepted)))[:40]
            refused += len(others)
            refuses(game, state, *map(game.parse, others))
    always = all(
        len(state_after(game, seed, actions[:turn]).legal_actions()) == len(known)
        for seed, actions in plays(game, 2)
        for turn in moments(actions)
    )
    # A game like the prisoner's dilemma has the same actions at every turn.
    assert refused or always


@check
def tolerated_actions_are_accepted_and_not_legal(game: Game) -> None:
    for seed, actions in plays(game, 2):
        for turn in {*moments(actions), len(actions) - 1}:
            state = state_after(game, seed, actions[:turn])
            for action in state.tolerated_actions():
                assert action not in state.legal_actions()
                assert game.parse(game.notate(action)) == action
                state_after(game, seed, actions[:turn]).apply(action)


@check
def legal_actions_are_distinct_and_plain(game: Game) -> None:
    for seed, actions in plays(game, 3):
        for turn in moments(actions):
            legal = state_after(game, seed, actions[:turn]).legal_actions()
            texts = {json.dumps(action, sort_keys=True) for action in legal}
            assert len(texts) == len(legal) > 0
            assert [json.loads(json.dumps(action)) for action in legal] == list(legal)


@check
def notation_is_short_and_reversible(game: Game) -> None:
    for seed, actions in plays(game, 3):
        for turn in moments(actions):
            for action in state_after(game, seed, actions[:turn]).legal_actions():
                notation = game.notate(action)
                assert game.parse(notation) == action
                assert notation.isascii()
                assert notation.isprintable()
                assert 0 < len(notation) <= 8
                assert " " not in notation


@check
def other_notation_is_a_record_error(game: Game) -> None:
    for notation in (
        "",
        " ",
        "p",
        "p0 ",
        "P0",
        "p-1",
        "p٣",
        "zz",
        "{}",
        "h",
        "x" * 10_000,
        "\ud800",
    ):
        with pytest.raises(RecordError):
            game.parse(notation)


@check
def replies_that_are_no_actions_are_refused(game: Game) -> None:
    state = game.deal(deal_seed(SECRET, 0))
    replies = (None, True, 0, 1.5, "p0", [], ["type"], {}, {"type": None}, {"type": []})
    refuses(game, state, *replies)


@check
def spoilt_actions_are_refused(game: Game) -> None:
    """Every field of every legal action, replaced by something of the wrong kind."""
    spoilt = (None, True, False, -1, 1.0, 10**5000, float("nan"), "", "0", "RY", [0], {"a": 1})
    state = game.deal(deal_seed(SECRET, 0))

    def tolerated(action: JsonObject, field: str) -> bool:  # False is no 0
        alike = [each for each in state.tolerated_actions() if each == action]
        return any(type(each[field]) is type(action[field]) for each in alike)

    for action in state.legal_actions():
        for field in action:
            missing = {key: value for key, value in action.items() if key != field}
            other = [{**action, field: value} for value in spoilt]
            refuses(game, state, missing, *(each for each in other if not tolerated(each, field)))


@check
def fields_that_no_action_has_are_ignored(game: Game) -> None:
    seed = deal_seed(SECRET, 0)
    for action in game.deal(seed).legal_actions():
        plain, adorned = game.deal(seed), game.deal(seed)
        plain.apply(action)
        adorned.apply({**action, "comment": "I am sure", "score": [25] * 9})
        assert everything(game, plain) == everything(game, adorned)


@check
def events_only_grow(game: Game) -> None:
    for seed, actions in plays(game, 3):
        state = game.deal(seed)
        before = [list(state.events(seat)) for seat in range(game.seats)]
        assert all(before)
        for notation in actions:
            state.apply(game.parse(notation))
            for seat in range(game.seats):
                now = list(state.events(seat))
                assert len(now) > len(before[seat])
                assert now[: len(before[seat])] == before[seat]
                before[seat] = now


@check
def what_was_handed_out_is_never_changed(game: Game) -> None:
    for seed, actions in plays(game, 2):
        state, kept = game.deal(seed), []
        for notation in actions:
            for seat in range(game.seats):
                values = [state.observe(seat), list(state.legal_actions())]
                kept.append((values, json.dumps(values)))
            state.apply(game.parse(notation))
        assert all(json.dumps(values) == text for values, text in kept)


@check
def each_observation_is_a_fresh_object(game: Game) -> None:
    state = game.deal(deal_seed(SECRET, 0))
    assert state.observe(0) is not state.observe(0)
    assert state.observe(0) == state.observe(0)


@check
def messages_fit_the_wire(game: Game) -> None:
    """A seat's messages hold what happened since its last one: at most a round of the table."""
    for seed, actions in plays(game, 3):
        state, told = game.deal(seed), [0] * game.seats
        for notation in [*actions, None]:
            acting = [state.seat_to_act] if notation else range(game.seats)
            for seat in acting:
                assert seat is not None
                news = list(state.events(seat)[told[seat] :])
                told[seat] += len(news)
                message = [state.observe(seat), news, list(state.legal_actions())]
                assert len(json.dumps(message)) < WIRE_LIMIT
                assert all(isinstance(event["type"], str) for event in news)
            if notation:
                state.apply(game.parse(notation))


@check
def a_replay_is_the_same_play(game: Game) -> None:
    for seed, actions in plays(game, 3):
        first, second = game.deal(seed), game.deal(seed)
        looked_at = moments(actions)
        for turn, notation in enumerate(actions):
            if turn in looked_at:
                assert everything(game, first) == everything(game, second)
            first.apply(game.parse(notation))
            second.apply(json.loads(json.dumps(game.parse(notation))))
        assert everything(game, first) == everything(game, second)


@check
def looking_changes_nothing(game: Game) -> None:
    for seed, actions in plays(game, 2):
        watched, alone = game.deal(seed), game.deal(seed)
        looked_at = moments(actions)
        for turn, notation in enumerate(actions):
            if turn in looked_at:
                everything(game, watched)
            watched.describe(game.parse(notation))
            watched.apply(game.parse(notation))
            alone.apply(game.parse(notation))
        assert everything(game, watched) == everything(game, alone)


@check
def replays_read_well(game: Game) -> None:
    for seed, actions in plays(game, 3):
        state = game.deal(seed)
        for notation in actions:
            action = game.parse(notation)
            lines = [state.describe(action), *state.text().splitlines()]
            assert "\n" not in lines[0]
            assert all(0 < len(line) <= 100 and line == line.rstrip() for line in lines)
            state.apply(action)
        assert str(state.ending) in state.text()


@check
def observations_and_events_are_objects(game: Game) -> None:
    state = game.deal(deal_seed(SECRET, 0))
    for seat in range(game.seats):
        assert all(type(value) is dict for value in (state.observe(seat), *state.events(seat)))

"""Checks of the conformance suite on every game's scenes."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from grader.core.games import Game, JsonObject, presented
from grader.core.games.scenes import COMMON, Mark, Tone, actions_before, plain
from tests.grader.core.games.plays import (
    check,
    moments,
    plays,
)


def scenes_of(game: Game, seed: bytes, actions: Sequence[str]) -> Sequence[JsonObject]:
    return list(presented(game).scenes(seed, map(game.parse, actions)))


@check
def a_play_has_a_scene_for_each_deal_and_for_every_action(game: Game) -> None:
    for seed, actions in plays(game, 3):
        scenes = scenes_of(game, seed, actions)
        assert scenes[0]["seat"] is None
        assert actions_before(scenes)[-1] == len(actions)
        assert len([scene for scene in scenes if scene["seat"] is None]) == len(
            {scene.get("part") for scene in scenes}
        )
        assert len({frozenset(scene) for scene in scenes}) == 1
        assert set(COMMON) <= set(scenes[0])
        assert [json.loads(json.dumps(scene)) for scene in scenes] == scenes


@check
def scenes_say_what_the_rules_say(game: Game) -> None:
    for seed, actions in plays(game, 3):
        state, scenes = game.deal(seed), scenes_of(game, seed, actions)
        acted = [pair for pair in pairwise(scenes) if pair[1]["seat"] is not None]
        assert all(scene["move"] is None for scene in scenes if scene["seat"] is None)
        for notation, (before, scene) in zip(actions, acted, strict=True):
            assert scene["seat"] == state.seat_to_act == before["to_act"]
            state.apply(game.parse(notation))
            assert scene["to_act"] == state.seat_to_act
            assert tuple(scene["scores"]) == state.scores()
            assert scene["move"] is not None


@check
def scenes_read_well(game: Game) -> None:
    for seed, actions in plays(game, 3):
        for scene in scenes_of(game, seed, actions):
            said, brief = plain(scene["said"]), plain(scene["brief"])
            assert said[0].isupper()
            assert said[-1] == "."
            assert 0 < len(brief) <= 60
            assert len(said) <= 120
            assert "\n" not in said + brief + scene["effect"]
            assert scene["mark"] in set(Mark) - {Mark.FAULT}
            assert scene["tone"] in set(Tone)


@check
def a_scene_stands_still_as_rows_of_cards_or_as_text(game: Game) -> None:
    for seed, actions in plays(game, 2):
        for scene in scenes_of(game, seed, actions)[::7]:
            shown = presented(game).still(scene)
            assert shown.sentence.startswith(plain(scene["said"]))
            assert shown.rows or scene["text"]
            assert {row.seat for row in shown.rows} - {None} in (set(range(game.seats)), set())
            assert all(name and value for name, value in shown.figures)
            assert all(card.words for row in shown.rows for card in row.cards)
            own = presented(game).still(scene, 0)
            hidden = [row for row in own.rows if row.seat == 0] if game.name == "" else own.rows
            assert len(hidden) == len(shown.rows)


@check
def a_scene_is_the_same_whatever_is_played_after_it(game: Game) -> None:
    for seed, actions in plays(game, 1):
        scenes = scenes_of(game, seed, actions)
        counts = actions_before(scenes)
        for turn in moments(actions)[::4]:
            assert scenes_of(game, seed, actions[:turn]) == scenes[: bisect_right(counts, turn)]

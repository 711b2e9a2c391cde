"""Level *published*: what people see and read of a game."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

from grader.conformance.trial import SECRET, Level, Trial, checks
from grader.core.deals import deal_seed
from grader.core.games import JsonObject, guide_text, presented
from grader.core.games.base import State
from grader.core.games.scenes import COMMON, Mark, Tone, actions_before, plain
from grader.core.words import seat_words

CHECKS, check = checks(Level.PUBLISHED)


def _scenes(trial: Trial, seed: bytes, actions: Sequence[str]) -> Sequence[JsonObject]:
    return list(presented(trial.game).scenes(seed, map(trial.game.parse, actions)))


@check("Begin the module of the rules with a docstring, or write a `guide.md` beside it: the"
       " guide's page on the game shows it as Markdown.")  # fmt: skip
def its_rules_are_told(trial: Trial) -> Iterator[str]:
    if len(guide_text(type(trial.game))) < 40:
        module = type(trial.game).__module__
        yield f"The module {module} has no docstring that explains the rules, and no `guide.md`."


@check("Write `describe` and `text` for people: lines of 1 to 100 columns, the seat that acts if a"
       " seat comes first, the ending in the last text.")  # fmt: skip
def replays_read_well(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        state = trial.game.deal(seed)
        for notation in actions:
            action = trial.game.parse(notation)
            lines = [state.describe(action), *state.text().splitlines()]
            if "\n" in lines[0]:
                yield "`describe` gives more than one line."
            actor, named = seat_words(state.seat_to_act or 0), re.match(r"seat \d+\b", lines[0])
            if named and named[0] != actor:
                yield f"`describe` says {lines[0][:60]!r}, and {actor} is to act."
            for line in lines:
                if not 0 < len(line) <= 100:
                    yield f"A line has {len(line)} characters: {line[:60]!r}."
                if line != line.rstrip():
                    yield f"A line ends with a space: {line[-60:]!r}."
            state.apply(action)
        if str(state.ending) not in state.text():
            yield "The text of a finished play does not name its ending."


def _tables(trial: Trial) -> Iterator[State]:
    yield from trial.turns(2)
    for seed, actions in trial.plays(2):
        yield trial.after(seed, actions)


@check("Let `field` of `view` name the field of `observe` that has the board, a list of equally"
       " long rows; give each value of a cell a `Piece` with its own letter of one or two"
       " characters, and only the empty cell none.")  # fmt: skip
def its_board_can_be_drawn(trial: Trial) -> Iterator[str]:
    view, without = trial.game.view, set[Any]()
    if view is None:
        return
    letters = [piece.letter for piece in view.pieces.values()]
    if len(set(letters)) < len(letters) or not all(1 <= len(each) <= 2 for each in letters):
        yield f"The letters of the pieces in `view` are {letters}."
    for state, seat in product(_tables(trial), trial.seats):
        board = state.observe(seat).get(view.field)
        if not isinstance(board, list | tuple) or not all(isinstance(row, list) for row in board):
            yield f"`observe({seat})[{view.field!r}]` is no list of rows, which `view` could draw."
            return
        if len({len(row) for row in board}) != 1:
            yield f"The rows of `observe({seat})[{view.field!r}]` are not equally long."
        without |= {value for row in board for value in row} - view.pieces.keys()
        if len(without) > 1:
            values = ", ".join(map(repr, without))
            yield f"`view` has no piece for {values}: all of these are drawn as empty cells."


@check("Return from `rows` the same rows in each state, each with a title of its own, and for each"
       ' card a face of one to three characters, or `""` where it lies face down.')  # fmt: skip
def its_rows_can_be_drawn(trial: Trial) -> Iterator[str]:
    dealt = trial.game.deal(deal_seed(SECRET, 0)).rows(None)
    first = [row.seat for row in dealt]
    if len({row.title for row in dealt}) < len(dealt):
        yield "Two rows of `rows` have one title: a row of a seat names the seat, `Seat 1`."
    if set(first) - {None} not in (set(trial.seats), set()):
        yield f"`rows` has rows of the seats {first}: of some seats, and not of all."
    for state, seat in product(_tables(trial), (None, *trial.seats)):
        rows = state.rows(seat)
        if [row.seat for row in rows] != first:
            yield (
                f"`rows({seat})` has {len(rows)} rows after {state.turn} actions; after the deal"
                f" `rows(None)` has {len(first)}, or theirs are of other seats."
            )
        for card in (card for row in rows for card in row.cards):
            if not (isinstance(card, str) and len(card) <= 3):
                yield f"`rows({seat})` has a card with the face {card!r}."


@check("Let templates of `lines` name fields of actions, and `reply` tell all actions apart; let an"
       " action's event have its fields and its `seat`.")  # fmt: skip
def programs_with_lines_can_play(trial: Trial) -> Iterator[str]:
    # Here: the sandbox that runs uploaded rules has no msgspec, and does not ask for this check.
    from grader.core.line_wire import LineWire
    from grader.core.referee import END, START, Reply, referee

    for seed, actions in trial.plays(3) if trial.game.lines else ():
        wires = [LineWire(trial.game, 1.0) for _ in trial.seats]
        play, left = referee(trial.game, seed), list(actions)
        turn = next(play)
        while turn.kind is not END:
            wire, action = wires[turn.seat], None
            if turn.kind is START:
                list(wire.start(turn.message))
            else:
                *_, asked = wire.turn(turn.message)
                for legal in turn.message["legal"]:
                    if wire.read(wire.said(legal).encode(), asked) != legal:
                        yield f"The reply {wire.said(legal)!r} does not mean the action {legal}."
                action = dict(trial.game.parse(left.pop(0)))
            turn = play.send(Reply(action, 0))
        wires[0].end()


@check("Let `Presentation.show` yield a scene for each deal and one after each action, of JSON"
       " values, all with the same keys.")  # fmt: skip
def a_play_has_a_scene_for_each_deal_and_for_every_action(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        scenes = _scenes(trial, seed, actions)
        if scenes[0]["seat"] is not None or actions_before(scenes)[-1] != len(actions):
            yield f"{len(actions)} actions have {len(scenes)} scenes."
        deals = [scene for scene in scenes if scene["seat"] is None]
        if len(deals) != len({scene.get("part") for scene in scenes}):
            yield "There are not as many deals as parts of the play."
        if len({frozenset(scene) for scene in scenes}) != 1 or not set(COMMON) <= set(scenes[0]):
            yield "Scenes have different keys, or lack one that all games have."
        if [json.loads(json.dumps(scene)) for scene in scenes] != scenes:
            yield "A scene is not a plain JSON object."


@check("Take seats, scores and the seat to act of a scene from the state.")
def scenes_say_what_the_rules_say(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        state, scenes = trial.game.deal(seed), _scenes(trial, seed, actions)
        acted = [pair for pair in pairwise(scenes) if pair[1]["seat"] is not None]
        if any(scene["move"] is not None for scene in scenes if scene["seat"] is None):
            yield "The scene of a deal has a `move`."
        for notation, (before, scene) in zip(actions, acted, strict=True):
            if not scene["seat"] == state.seat_to_act == before["to_act"]:
                yield "A scene has another seat than the rules."
            state.apply(trial.game.parse(notation))
            if scene["to_act"] != state.seat_to_act or scene["move"] is None:
                yield "A scene has another seat to act than the rules, or no `move`."
            if tuple(scene["scores"]) != state.scores():
                yield "A scene has other scores than the rules."


@check("Write what was done as one short sentence: in `describe`, or in the game's presentation.")
def scenes_read_well(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(3):
        for scene in _scenes(trial, seed, actions):
            said, brief = plain(scene["said"]), plain(scene["brief"])
            if not (said[:1].isupper() and said.endswith(".") and len(said) <= 120):
                yield f"This is no sentence of at most 120 characters: {said[:130]!r}."
            if not 0 < len(brief) <= 60 or "\n" in said + brief + scene["effect"]:
                yield f"This has more than 60 characters or one line: {brief[:70]!r}."
            if scene["mark"] not in set(Mark) - {Mark.FAULT} or scene["tone"] not in set(Tone):
                yield "A scene's mark or tone is none of `Mark` and `Tone`."


@check("Let `Presentation.still` return rows of cards, or leave it and show text.")
def a_scene_stands_still(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(2):
        for scene in _scenes(trial, seed, actions)[::7]:
            shown, own = (presented(trial.game).still(scene, seat) for seat in (None, 0))
            if not shown.sentence.startswith(plain(scene["said"])):
                yield "A still does not begin with what was done."
            if not shown.rows and not scene["text"]:
                yield "A still has neither rows nor text."
            if shown.grid and len({len(row) for row in shown.grid}) != 1:
                yield "The rows of the grid are not equally long."
            if {row.seat for row in shown.rows} - {None} not in (set(trial.seats), set()):
                yield "A still shows some seats' cards, and not all."
            if not all(name and value for name, value in shown.figures):
                yield "A figure of a still has no name or no value."
            if not all(card.words for row in shown.rows for card in row.cards):
                yield "A card of a still has no words."
            if len(own.rows) != len(shown.rows):
                yield "A seat sees another number of rows than spectators."


@check("Name in `view` the field of observations with the board, and fields of actions that are"
       " whole numbers within it.")  # fmt: skip
def a_click_on_the_grid_chooses_an_action(trial: Trial) -> Iterator[str]:
    view, named = trial.game.view, 0
    if view is None:
        return
    for state in trial.turns(2):
        boards = [view.rows(state.observe(seat)) for seat in trial.seats]
        if any(board != boards[0] for board in boards):
            yield f"Seats see different boards in `{view.field}`."
        bounds = (len(boards[0]), len(boards[0][0]))[-len(view.cell) :]
        cells = [
            [action[field] for field in view.cell]
            for action in state.legal_actions()
            if action.keys() >= {*view.cell}
        ]
        named += len(cells)
        for cell in cells:
            if not all(0 <= n < bound for n, bound in zip(cell, bounds, strict=True)):
                yield f"An action names the cell {cell}, which is not on the board."
    if not named:
        yield f"No legal action has the fields {', '.join(view.cell)}."


@check("Draw a scene from the state before and after its action, and nothing later.")
def a_scene_is_the_same_whatever_is_played_after_it(trial: Trial) -> Iterator[str]:
    for seed, actions in trial.plays(1):
        scenes = _scenes(trial, seed, actions)
        counts = actions_before(scenes)
        for turn in trial.moments(actions)[::4]:
            if _scenes(trial, seed, actions[:turn]) != scenes[: bisect_right(counts, turn)]:
                yield "A scene differs when fewer actions follow it."

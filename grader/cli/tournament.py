"""``firebox tournament``: a small tournament between agents on this computer."""

import argparse
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from grader.cli.agents import Program, load_all
from grader.cli.arguments import (
    add_agent_arguments,
    add_output_arguments,
    add_rules_arguments,
    add_secret_arguments,
    agents_of,
    build_cache,
    cores_of,
    game_of,
    limits_of,
    sandboxed,
    secret_of,
)
from grader.cli.exits import Exit, UsageError
from grader.cli.files import check_writable, require_numpy, write_and_say
from grader.cli.kit import rules_beside
from grader.cli.output import progress, say_left_out, say_unbuildable
from grader.cli.slots import open_slots, play_batches
from grader.core.errors import RulesError
from grader.core.games import Game
from grader.core.records import Mode, to_json
from grader.play.slot import Slot

if TYPE_CHECKING:
    from grader.cli.course import Course
    from grader.tournament import TournamentSpec

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "play a balanced tournament and rank the agents"

_ROUNDS: Final = 25
_MAX_SEATS: Final = 5
"""Default number of seats at a table, if the rules allow it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_agent_arguments(parser, seats="each plays in every round")
    add_rules_arguments(parser)
    add_secret_arguments(parser)
    parser.add_argument(
        "--fill",
        action="append",
        default=[],
        metavar="AGENT",
        help="an agent for empty seats, unranked; may be repeated",
    )
    _add_schedule_arguments(parser)
    parser.add_argument(
        "--faults",
        type=int,
        default=3,
        metavar="N",
        help="remove an agent after this many faults; 0: never; default: 3",
    )
    add_output_arguments(parser, printed="standings")


def _add_schedule_arguments(parser: argparse.ArgumentParser) -> None:
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--rounds", type=int, metavar="N", help="default: 25")
    length.add_argument(
        "--games", type=int, metavar="N", help="whole rounds with at least this many games"
    )
    parser.add_argument(
        "--table-games",
        type=int,
        metavar="N",
        help="games that a table plays in a round; default: as many as it has seats",
    )
    parser.add_argument(
        "--self-play",
        type=int,
        default=0,
        metavar="N",
        help="games that each agent first plays with itself; they do not affect ranks",
    )
    parser.add_argument(
        "--rotated", action="store_true", help="play every deal of a table from each of its seats"
    )
    parser.add_argument(
        "--duplicates",
        action="store_true",
        help="allow an agent more than once at a table",
    )


def run(arguments: argparse.Namespace) -> Exit:
    """Play it. A fault in any game is the exit status 1."""
    require_numpy()
    # Here, because linear algebra takes longer to load than most commands take to run.
    from grader.cli.course import Course
    from grader.cli.tables import answer_of, report

    check_writable(arguments.output)
    players, fillers = agents_of(arguments), load_all(arguments.fill)
    say_left_out({program.name: program.notes for program in [*players, *fillers]})
    course = Course(_spec(arguments, players, fillers), players, fillers, secret_of(arguments))
    began = time.monotonic()
    _play(arguments, course)
    if course.unbuildable:
        names, builds = zip(*course.unbuildable.items(), strict=True)
        say_unbuildable(names, builds, as_json=arguments.json)
        return Exit.FAULT
    export = course.export()
    answer = answer_of(course, export, seconds=time.monotonic() - began)
    words = to_json(answer) if arguments.json else report(answer)
    write_and_say(arguments.output, to_json(export), words)
    return Exit.FAULT if course.ledger.charges else Exit.OK


def _play(arguments: argparse.Namespace, course: "Course") -> None:
    refs = [program.ref for program in course.programs]
    confined = sandboxed(arguments, refs)
    builds = build_cache() if confined else None
    slots = [Slot(core=core, sandboxed=confined, builds=builds) for core in cores_of(arguments)]
    archives = {program.ref.sha256: program.archive for program in course.programs}
    with open_slots(archives, slots) as processes, progress(course.ledger.plan.games) as count:
        play_batches(course, processes, lambda result: count(result.record.scores[0]))


def _spec(
    arguments: argparse.Namespace, players: Sequence[Program], fillers: Sequence[Program]
) -> "TournamentSpec":
    from grader.tournament import MAX_GAMES, Policy, TournamentSpec, rounds_for_games

    if arguments.mode == Mode.TEAM:
        raise UsageError("--mode team: in a tournament every seat has a process of its own")
    game = _game(arguments, [*players, *fillers])
    spec = TournamentSpec(
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments),
        sizes=(game.seats,),
        rounds=_ROUNDS if arguments.rounds is None else arguments.rounds,
        games_per_table=game.seats if arguments.table_games is None else arguments.table_games,
        rotated=arguments.rotated,
        duplicates=arguments.duplicates,
        self_play_games=arguments.self_play,
        policy=Policy(faults_to_removal=arguments.faults),
    )
    if arguments.games is None:
        return spec
    if arguments.games > MAX_GAMES:  # rounds are counted one by one
        raise UsageError(f"--games is {arguments.games}; at most {MAX_GAMES:,} can be played")
    rounds = rounds_for_games(
        spec, players=len(players), fillers=len(fillers), games=arguments.games
    )
    return replace(spec, rounds=rounds)


def _game(arguments: argparse.Namespace, agents: Sequence[Program]) -> Game:
    """The rules, with as many seats as these agents can fill if that was left open."""
    if arguments.players is not None or rules_beside(arguments.agents):
        return game_of(arguments, agents)
    for seats in range(min(_MAX_SEATS, len(agents)), 2, -1):
        with suppress(RulesError):
            return game_of(argparse.Namespace(**{**vars(arguments), "players": seats}), agents)
    return game_of(argparse.Namespace(**{**vars(arguments), "players": 2}), agents)

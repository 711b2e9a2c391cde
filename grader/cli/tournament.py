"""``firebox tournament``: a small tournament between agents on this computer."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from grader.cli.agents import NamedAgent, load_all
from grader.cli.arguments import (
    AgentArguments,
    DealArguments,
    OutputArguments,
    RulesArguments,
    agents_of,
    cores_of,
    game_of,
    game_secret_of,
    limits_of,
    slot_for,
)
from grader.cli.command_line import argument, shared
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import check_writable, require_numpy, write_and_say
from grader.cli.kit import rules_beside
from grader.cli.output import progress, say_left_out, say_unbuildable
from grader.cli.slots import open_slots, play_batches
from grader.core.errors import RulesError
from grader.core.games import Game, game_named
from grader.core.records import Mode, to_json

if TYPE_CHECKING:
    from grader.cli.local_tournament import LocalTournament
    from grader.tournament import TournamentSpec

HELP: Final = "play a balanced tournament and rank the agents"

_ROUNDS: Final = 25
_MAX_SEATS: Final = 5
"""Default number of seats at a table, if the rules allow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentArguments:
    """The command line of ``firebox tournament``."""

    agents: AgentArguments = shared(
        names="a source file, a .zip or a folder with sources, or house:NAME; each plays in every"
        " round"
    )
    rules: RulesArguments
    deals: DealArguments
    fill: tuple[str, ...] = argument(
        "--fill", metavar="AGENT", help="an agent for empty seats, unranked; may be repeated"
    )
    rounds: int | None = argument("--rounds", group="length", metavar="N", help="default: 25")
    games: int | None = argument(
        "--games", group="length", metavar="N", help="whole rounds with at least this many games"
    )
    table_games: int | None = argument(
        "--table-games",
        metavar="N",
        help="games that a table plays in a round; default: as many as it has seats",
    )
    self_play: int = argument(
        "--self-play",
        default=0,
        metavar="N",
        help="games that each agent first plays with itself; they do not affect ranks",
    )
    rotated: bool = argument("--rotated", help="play every deal of a table from each of its seats")
    duplicates: bool = argument("--duplicates", help="allow an agent more than once at a table")
    faults: int = argument(
        "--faults",
        default=3,
        metavar="N",
        help="remove an agent after this many faults; 0: never; default: 3",
    )
    output: OutputArguments = shared(json="print the standings as JSON")


def run(arguments: TournamentArguments) -> ExitStatus:
    """Play it. A fault in any game is the exit status 1."""
    require_numpy()
    # Here, because linear algebra takes longer to load than most commands take to run.
    from grader.cli.local_tournament import LocalTournament
    from grader.cli.tables import answer_of, report

    check_writable(arguments.output.output)
    players, fillers = agents_of(arguments.agents), load_all(arguments.fill)
    say_left_out({program.name: program.notes for program in [*players, *fillers]})
    spec = _spec(arguments, players, fillers)
    secret = game_secret_of(arguments.deals, game_named(spec.game))
    course = LocalTournament(spec, players, fillers, secret)
    began = time.monotonic()
    _play(arguments, course)
    if course.unbuildable:
        names, builds = zip(*course.unbuildable.items(), strict=True)
        say_unbuildable(names, builds, as_json=arguments.output.json)
        return ExitStatus.FAULT
    export = course.export()
    answer = answer_of(course, export, seconds=time.monotonic() - began)
    words = to_json(answer) if arguments.output.json else report(answer)
    write_and_say(arguments.output.output, to_json(export), words)
    return ExitStatus.FAULT if course.ledger.charges else ExitStatus.OK


def _play(arguments: TournamentArguments, course: "LocalTournament") -> None:
    refs = [program.ref for program in course.programs]
    slot = slot_for(refs, no_sandbox=arguments.agents.no_sandbox)
    archives = {program.ref.sha256: program.archive for program in course.programs}
    game = game_named(course.spec.game)
    total = course.ledger.plan.games
    cores = cores_of(arguments.output.slots)
    with open_slots(archives, slot, cores) as processes, progress(total, game) as count:
        play_batches(course, processes, lambda result: count(result.record.scores[0]))


def _spec(
    arguments: TournamentArguments, players: Sequence[NamedAgent], fillers: Sequence[NamedAgent]
) -> "TournamentSpec":
    from grader.tournament import MAX_GAMES, Policy, TournamentSpec, rounds_for_games

    if arguments.agents.mode == Mode.TEAM:
        raise UsageError("--mode team: in a tournament every seat has a process of its own")
    game = _game(arguments, [*players, *fillers])
    spec = TournamentSpec(
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments.agents),
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


def _game(arguments: TournamentArguments, agents: Sequence[NamedAgent]) -> Game:
    rules, named = arguments.rules, arguments.agents.names
    if rules.players is not None or rules_beside(named):
        return game_of(rules, agents, named=named)
    for seats in range(min(_MAX_SEATS, len(agents)), 2, -1):
        with suppress(RulesError):
            return game_of(replace(rules, players=seats), agents, named=named)
    return game_of(replace(rules, players=2), agents, named=named)

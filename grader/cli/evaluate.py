"""``firebox evaluate``: many games, summed up as the site does."""

import argparse
import shlex
import time
from pathlib import Path
from typing import Final

from grader.cli.agents import Table, seat_agents
from grader.cli.arguments import (
    add_agent_arguments,
    add_rules_arguments,
    add_secret_arguments,
    agent_words,
    agents_of,
    build_cache,
    cores_of,
    game_of,
    limits_of,
    mode_of,
    rules_words,
    sandboxed,
    secret_of,
)
from grader.cli.exits import Exit, UsageError
from grader.cli.files import check_writable, write_text
from grader.cli.output import progress, say, say_unbuildable
from grader.cli.slots import Job, play_games
from grader.cli.summary import answer_of, report
from grader.evaluation import EvaluationSpec
from grader.export import export_evaluation
from grader.records import to_json

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "play many games and sum them up: mean, interval, histogram, faults"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_agent_arguments(parser)
    add_rules_arguments(parser)
    add_secret_arguments(parser)
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="default: 1000")
    parser.add_argument(
        "--slots", type=int, metavar="N", help="processor cores to play on; default: all"
    )
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="save every game, for `firebox replay` and verify",
    )


def run(arguments: argparse.Namespace) -> Exit:
    """Play them. A fault in any game is the exit status 1."""
    job, table = _job(arguments)
    cores = cores_of(arguments)
    check_writable(arguments.output)
    began = time.monotonic()
    with progress(job.spec.n_games) as count:
        outcome = play_games(job, cores, lambda result: count(result.record.scores[0]))
    seconds = time.monotonic() - began
    if not outcome.built:
        say_unbuildable(table.program_names, outcome.builds, as_json=arguments.json)
        return Exit.FAULT
    export = export_evaluation(
        job.spec,
        title=table.names,
        secret=job.secret,
        reveal_secret=True,
        agents=job.agents,
        results=list(outcome.results.values()),
    )
    write_text(arguments.output, to_json(export))
    answer = answer_of(export, agents=table.program_names, seconds=seconds)
    say(to_json(answer) if arguments.json else report(answer, export, again=_again(arguments)))
    return Exit.FAULT if answer.faults else Exit.OK


def _job(arguments: argparse.Namespace) -> tuple[Job, Table]:
    if arguments.games < 1:
        raise UsageError(f"--games is {arguments.games}; at least one is needed")
    agents = agents_of(arguments)
    game = game_of(arguments, agents)
    table = seat_agents(agents, game.seats)
    refs = tuple(program.ref for program in table.programs)
    spec = EvaluationSpec(
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments),
        seating=table.seating,
        n_games=arguments.games,
        mode=mode_of(arguments),
    )
    job = Job(
        spec=spec,
        agents=refs,
        archives=tuple(program.archive for program in table.programs),
        secret=secret_of(arguments),
        sandboxed=sandboxed(arguments, refs),
        builds=build_cache(),
    )
    return job, table


def _again(arguments: argparse.Namespace) -> str:
    """The command that plays one of the games again, up to its index."""
    words = ["firebox", "play", *agent_words(arguments), *rules_words(arguments)]
    words += [word for limit in arguments.limit for word in ("--limit", limit)]
    words += ["--secret", arguments.secret] if arguments.secret is not None else []
    words += ["--seed", str(arguments.seed)] if arguments.seed is not None else []
    words += ["--no-sandbox"] if arguments.no_sandbox else []
    return shlex.join([*words, "--index"])

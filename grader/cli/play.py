"""``firebox play``: one game, told turn by turn."""

import argparse
from typing import Final

from rich.console import Console

from grader.cli.agents import Table, seat_agents
from grader.cli.arguments import (
    add_agent_arguments,
    add_rules_arguments,
    add_secret_arguments,
    agents_of,
    game_of,
    limits_of,
    mode_of,
    secret_of,
    slot_for,
)
from grader.cli.exits import Exit, UsageError
from grader.cli.output import facts, fault_report, say, say_unbuildable
from grader.deals import deal_seed
from grader.records import BatchRequest, GameOrder, GameResult, to_json
from grader.replay import render
from grader.runner import open_batch

__all__ = ["HELP", "add_arguments", "run"]

HELP: Final = "play one game and tell it turn by turn"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_agent_arguments(parser)
    add_rules_arguments(parser)
    deals = add_secret_arguments(parser)
    deals.add_argument("--deal", metavar="HEX", help="the deal itself, as records name it")
    parser.add_argument(
        "--index",
        type=int,
        default=0,
        metavar="I",
        help="which game of the deals; the first, 0, by default",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> Exit:
    """Play it. An agent's fault is the exit status 1."""
    request, table = _request(arguments)
    archives = [program.archive for program in table.programs]
    slot = slot_for(arguments, request.agents)
    with (
        Console(stderr=True).status("playing"),
        open_batch(request, archives, slot) as batch,
    ):
        builds, results = batch.builds, list(batch.games())
    if not results:
        say_unbuildable(table.program_names, builds, as_json=arguments.json)
        return Exit.FAULT
    (result,) = results
    _say_result(result, table, as_json=arguments.json)
    return Exit.OK if result.record.fault is None else Exit.FAULT


def _request(arguments: argparse.Namespace) -> tuple[BatchRequest, Table]:
    agents = agents_of(arguments)
    game = game_of(arguments, agents)
    table = seat_agents(agents, game.seats)
    order = GameOrder(index=arguments.index, deal_seed=_deal(arguments))
    request = BatchRequest(
        evaluation="play",
        batch="play",
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments),
        agents=tuple(program.ref for program in table.programs),
        seating=table.seating,
        games=(order,),
        max_consecutive_faults=0,
        check_first=True,
        mode=mode_of(arguments),
    )
    return request, table


def _deal(arguments: argparse.Namespace) -> str:
    if arguments.deal is None:
        if arguments.index < 0:
            raise UsageError(f"--index is {arguments.index}; the first game is number 0")
        return deal_seed(secret_of(arguments), arguments.index).hex()
    try:
        seed = bytes.fromhex(arguments.deal)
    except ValueError as error:
        raise UsageError(f"--deal: {error}") from error
    if len(seed) != 32:
        raise UsageError(f"--deal has 64 hexadecimal digits, not {2 * len(seed)}")
    return seed.hex()


def _say_result(result: GameResult, table: Table, *, as_json: bool) -> None:
    if as_json:
        say(to_json(result))
        return
    record = result.record
    slowest = max(result.max_charged_us, default=0) / 1000
    say(facts(("agents", table.names)))
    say(render(record).rstrip("\n"))
    if record.fault is not None:
        say()
        say(fault_report(record, result.evidence))
    say()
    say(facts(("time", f"{result.wall_ms:.1f} ms in all, slowest turn {slowest:.3f} ms charged")))

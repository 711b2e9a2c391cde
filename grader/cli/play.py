"""``firebox play``: one game, shown turn by turn."""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from msgspec import UNSET
from rich.console import Console

from grader.cli.agents import NamedAgent, SeatedAgents, load_all, seat_agents, seat_among
from grader.cli.arguments import (
    AgentArguments,
    DealArguments,
    RulesArguments,
    agents_of,
    deal_of,
    game_of,
    limits_of,
    mode_of,
    slot_for,
)
from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import read_game
from grader.cli.me import play_with_person
from grader.cli.output import (
    facts,
    fault_report,
    said_report,
    say,
    say_left_out,
    say_notes,
    say_unbuildable,
)
from grader.core.games import Game
from grader.core.prints import apart
from grader.core.records import BatchRequest, GameRequest, GameResult, to_json
from grader.play.batch import open_batch
from grader.play.debug import legible, without_debug_build
from grader.play.slot import Slot
from grader.results.replay import render, replay

HELP: Final = "play one game and show it turn by turn"


def _own_seat(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a seat; write --me after the agents")
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayArguments:
    """The command line of ``firebox play``."""

    agents: AgentArguments
    rules: RulesArguments
    deals: DealArguments
    deal: str | None = argument(
        "--deal", group="deals", metavar="HEX", help="one deal, by the seed in its record"
    )
    beside: tuple[str, ...] = argument(
        "--with",
        metavar="AGENT",
        help="agent at the other seats, for example house:NAME: one for all of"
        " them, or one for each",
    )
    seat: int | None = argument("--seat", metavar="S", help="the agent's seat; default: 1")
    index: int | None = argument(
        "--index", metavar="I", help="which of the deals to play, counted from 0; default: 0"
    )
    me: int | None = argument(
        "--me",
        nargs="?",
        const=1,
        type=_own_seat,
        metavar="SEAT",
        help="play yourself, at this seat (default: 1); AGENTs play the others, on a random deal"
        " unless you name one",
    )
    origin: Path | None = argument(
        "--from",
        metavar="FILE",
        help="play on from a turn of this recorded game, by its rules and on its deal; --index"
        " names a game of an export",
    )
    turn: int | None = argument(
        "--turn",
        metavar="N",
        help="with --from: the first turn that is played anew, counted from 0; default: that of the"
        " fault. Agents are asked for earlier turns, too, but the recorded moves stand",
    )
    debug: bool = argument(
        "--debug",
        help="for agents in C++: check every memory access and report the line of the first error;"
        " slower, and the game does not count",
    )
    json: bool = argument("--json", help="print the result as JSON")


def run(arguments: PlayArguments) -> ExitStatus:
    """Play it. An agent's fault is the exit status 1."""
    arguments, begun = _begun(arguments)
    if arguments.me is not None:
        _refuse_what_needs_no_person(arguments)
        return play_with_person(
            arguments.agents,
            arguments.rules,
            at=arguments.me - 1,
            deal=_named_deal(arguments),
            begun=begun,
        )
    request, table = _request(arguments, begun)
    say_left_out(table.notes)
    archives = [program.archive for program in table.programs]
    slot = _slot(arguments, request)
    with (
        Console(stderr=True).status("playing"),
        open_batch(request, archives, slot) as batch,
    ):
        builds, results = batch.builds, list(batch.games())
    if not results:
        say_unbuildable(table.program_names, builds, as_json=arguments.json)
        return ExitStatus.FAULT
    say_notes(table.programs, builds)
    (result,) = results
    if arguments.debug:
        result = _legible(result)
    _say_result(result, table, debug=arguments.debug, as_json=arguments.json)
    return ExitStatus.OK if result.record.fault is None else ExitStatus.FAULT


def _begun(arguments: PlayArguments) -> tuple[PlayArguments, Sequence[str]]:
    """Return the given actions, and arguments with their record's rules and deal.

    Raises UsageError, and RecordError for a record that contradicts the rules.
    """
    if arguments.origin is None:
        if arguments.turn is not None:
            raise UsageError("--turn needs --from")
        return arguments, ()
    named = (arguments.deal, arguments.deals.secret, arguments.deals.seed)
    rules = arguments.rules
    if any(each is not None for each in (*named, rules.game, rules.variant, rules.players)):
        raise UsageError("--from has rules and a deal of its own: leave out options for them")
    game = read_game(arguments.origin, arguments.index)
    record = game.record if isinstance(game, GameResult) else game
    replay(record)
    actions, has_fault = record.actions.split(), record.fault is not None
    last = len(actions) - (not has_fault)
    turn = last if arguments.turn is None and has_fault else arguments.turn
    if turn is None or not 0 <= turn <= last:
        raise UsageError(f"--from needs --turn with a turn of the game, from 0 to {last}")
    options = dict(record.options)
    rules = RulesArguments(
        game=record.game,
        variant=options.pop("variant"),
        players=options.pop("players"),
        set=tuple(f"{name}={json.dumps(value)}" for name, value in options.items()),
    )
    return replace(arguments, rules=rules, deal=record.deal_seed, index=None), actions[:turn]


def _refuse_what_needs_no_person(arguments: PlayArguments) -> None:
    given = {
        "--with": arguments.beside,
        "--debug": arguments.debug,
        "--json": arguments.json,
        "--mode": arguments.agents.mode,
    }
    for option, value in given.items():
        if value:
            raise UsageError(f"{option} cannot be combined with --me")
    if arguments.seat is not None:
        raise UsageError("--seat cannot be combined with --me; write the seat after it: --me 1")


def _named_deal(arguments: PlayArguments) -> Callable[[Game], str] | None:
    named = (arguments.deal, arguments.deals.secret, arguments.deals.seed, arguments.index)
    if all(choice is None for choice in named):
        return None
    index = arguments.index or 0
    return lambda game: deal_of(arguments.deals, game, deal=arguments.deal, index=index)


def _request(arguments: PlayArguments, begun: Sequence[str]) -> tuple[BatchRequest, SeatedAgents]:
    agents, others = agents_of(arguments.agents), load_all(arguments.beside)
    game = game_of(
        arguments.rules,
        [*agents, *others],
        named=arguments.agents.names,
        has_others=bool(others),
    )
    table = _table(arguments, agents, others, game.seats)
    index = arguments.index or 0
    deal = deal_of(arguments.deals, game, deal=arguments.deal, index=index)
    request = BatchRequest(
        evaluation="play",
        batch="play",
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments.agents),
        agents=tuple(program.ref for program in table.programs),
        seating=table.seating,
        games=(GameRequest(index=index, deal_seed=deal, begun=" ".join(begun) or UNSET),),
        max_consecutive_faults=0,
        check_first=True,
        mode=mode_of(arguments.agents),
        prints_of=UNSET if arguments.debug else tuple(range(len(table.programs))),
    )
    return request, table


def _table(
    arguments: PlayArguments,
    agents: Sequence[NamedAgent],
    others: Sequence[NamedAgent],
    players: int,
) -> SeatedAgents:
    if others:
        if len(agents) > 1:
            raise UsageError("--with takes one agent; name several agents to give each a seat")
        seat = 1 if arguments.seat is None else arguments.seat
        return seat_among(agents[0], others, seat=seat - 1, players=players)
    if arguments.seat is not None:
        raise UsageError("--seat needs --with")
    return seat_agents(agents, players)


def _slot(arguments: PlayArguments, request: BatchRequest) -> Slot:
    if not arguments.debug:
        return slot_for(request.agents, no_sandbox=arguments.agents.no_sandbox)
    if name := without_debug_build(request.agents):
        raise UsageError(f"--debug: the interface {name} has no memory checks")
    if arguments.agents.no_sandbox:
        raise UsageError("--debug: the checks need the sandbox; leave out --no-sandbox")
    return replace(slot_for(request.agents, no_sandbox=False), debug=True)


def _legible(result: GameResult) -> GameResult:
    if result.evidence is None:
        return result
    evidence = replace(result.evidence, stderr=legible(result.evidence.stderr))
    return replace(result, evidence=evidence)


def _say_result(result: GameResult, table: SeatedAgents, *, debug: bool, as_json: bool) -> None:
    if as_json:  # what was played with checks must not look like a result
        say(to_json({"debug": result} if debug else result))
        return
    record = result.record
    slowest = max(result.max_charged_us, default=0) / 1000
    say(facts(("agents", table.names)))
    if debug:
        say(facts(("debug", "every access to memory was checked; this game does not count")))
    say(render(record, printed=apart(result)[1]).rstrip("\n"))
    _say_evidence(result, debug=debug)
    say()
    say(facts(("time", f"{result.wall_ms:.1f} ms in all, slowest turn {slowest:.3f} ms charged")))


def _say_evidence(result: GameResult, *, debug: bool) -> None:
    if result.record.fault is not None:
        say()
        say(fault_report(result.record, result.evidence))
    elif debug:
        say()
        say(said_report(result.evidence))

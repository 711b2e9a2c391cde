"""``firebox evaluate``: many games, summed up as the site does."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from grader.cli.agents import (
    HOUSE,
    NamedAgent,
    SeatedAgents,
    load_all,
    seat_agents,
    table_against,
)
from grader.cli.arguments import (
    AgentArguments,
    DealArguments,
    OutputArguments,
    RulesArguments,
    agent_words,
    agents_of,
    cores_of,
    game_of,
    game_secret_of,
    limits_of,
    mode_of,
    rules_words,
    slot_for,
)
from grader.cli.command_line import argument, shared
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import check_writable, write_and_say
from grader.cli.output import (
    fault_report,
    progress,
    say,
    say_left_out,
    say_notes,
    say_unbuildable,
    warn,
)
from grader.cli.slots import (
    LocalEvaluation,
    LocalOutcome,
    OpponentFaultError,
    play_games,
    slots_for,
)
from grader.cli.summary import Again, answer_of, report
from grader.core.games import Game
from grader.core.records import GameResult, to_json
from grader.house.catalogue import fitting
from grader.results.evaluation import MAX_GAMES, EvaluationSpec, game_setup, games_against
from grader.results.export import EvaluationExport, export_evaluation

HELP: Final = "play many games and print mean, interval, histogram and faults"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateArguments:
    """The command line of ``firebox evaluate``."""

    agents: AgentArguments
    rules: RulesArguments
    deals: DealArguments
    against: tuple[str, ...] = argument(
        "--against",
        metavar="AGENT",
        help="an opponent, for example house:NAME; may be repeated: all opponents play the same"
        " deals, and the agent plays each deal once from every seat",
    )
    games: int = argument(
        "--games",
        default=1000,
        metavar="N",
        help="default: 1000; with --against, against each opponent, in full rounds",
    )
    half_width: float | None = argument(
        "--half-width",
        metavar="W",
        help="stop when the mean is known to ± W, at the latest after --games",
    )
    output: OutputArguments = shared(json="print the summary as JSON")


def run(arguments: EvaluateArguments) -> ExitStatus:
    """Play them. A fault in any game is the exit status 1."""
    job, table, game = job_of(arguments)
    say_left_out(table.notes)
    cores = cores_of(arguments.output.slots)
    check_writable(arguments.output.output)
    began = time.monotonic()
    try:
        outcome = play(job, game, cores)
    except OpponentFaultError as error:
        command = again_of(arguments, game).line(job.spec, error.result.index)
        _say_opponent_failed(table, error, command, as_json=arguments.output.json)
        return ExitStatus.FAULT
    seconds = time.monotonic() - began
    if not outcome.built:
        say_unbuildable(table.program_names, outcome.builds, as_json=arguments.output.json)
        return ExitStatus.FAULT
    say_notes(table.programs, outcome.builds)
    export = export_of(job, outcome, title=_title(table, arguments.against))
    answer = answer_of(export, agents=table.program_names, seconds=seconds)
    again = again_of(arguments, game)
    words = to_json(answer) if arguments.output.json else report(answer, export, again=again)
    write_and_say(arguments.output.output, to_json(export), words)
    return ExitStatus.FAULT if answer.faults else ExitStatus.OK


def play(job: LocalEvaluation, game: Game, cores: Sequence[int]) -> LocalOutcome:
    """Play all games, and show how far they are. Raises SystemFault and OpponentFaultError."""
    with slots_for(job, cores) as slots, progress(job.spec.n_games, game) as count:
        return play_games(job, slots, lambda result: count(_score(job.spec, result)))


def export_of(job: LocalEvaluation, outcome: LocalOutcome, *, title: str) -> EvaluationExport:
    """Return a finished evaluation, with its secret."""
    return export_evaluation(
        job.spec,
        title=title,
        secret=job.secret,
        reveal_secret=True,
        agents=job.agents,
        results=list(outcome.results.values()),
    )


def _say_opponent_failed(
    table: SeatedAgents, error: OpponentFaultError, again: str, *, as_json: bool
) -> None:
    name, result = table.program_names[error.opponent], error.result
    warn(
        f"firebox: the opponent {name} failed in game {result.index}, so nothing is measured."
        " Fix it, or name another one."
    )
    if as_json:
        say(to_json({"opponent": name, "result": result}))
        return
    say(fault_report(result.record, result.evidence))
    say(f"  see it: {again}")


def _title(table: SeatedAgents, against: Sequence[str]) -> str:
    return f"{table.programs[0].name} against {', '.join(against)}" if against else table.names


def _score(spec: EvaluationSpec, result: GameResult) -> int:
    return result.record.scores[game_setup(spec, result.index).seat]


def job_of(arguments: EvaluateArguments) -> tuple[LocalEvaluation, SeatedAgents, Game]:
    """Return the games to play, the agents at the table and the rules. Raises GraderError."""
    _check_half_width(arguments)
    agents, opponents = agents_of(arguments.agents), load_all(arguments.against)
    game = game_of(
        arguments.rules,
        [*agents, *opponents],
        named=arguments.agents.names,
        has_others=bool(opponents),
    )
    table = _table(agents, opponents, game)
    refs = tuple(program.ref for program in table.programs)
    spec = EvaluationSpec(
        game=game.name,
        options=dict(game.options),
        limits=limits_of(arguments.agents),
        seating=table.seating,
        n_games=_games(arguments.games, game.seats, len(opponents)),
        mode=mode_of(arguments.agents),
        opponents=tuple(program.name.removeprefix(HOUSE) for program in opponents),
        half_width=arguments.half_width,
    )
    job = LocalEvaluation(
        spec=spec,
        agents=refs,
        archives=tuple(program.archive for program in table.programs),
        secret=game_secret_of(arguments.deals, game),
        slot=slot_for(refs, no_sandbox=arguments.agents.no_sandbox),
        own_opponents=frozenset(
            position
            for position, program in enumerate(table.programs)
            if position and not program.name.startswith(HOUSE)
        ),
    )
    return job, table, game


def _games(asked: int, seats: int, opponents: int) -> int:
    if asked < 1:
        raise UsageError(f"--games is {asked}; at least one is needed")
    games = games_against(min(asked, MAX_GAMES + 1), seats, opponents)
    if games > MAX_GAMES:
        raise UsageError(f"--games is {asked}; at most {MAX_GAMES:,} games can be played in all")
    return games


def _check_half_width(arguments: EvaluateArguments) -> None:
    width = arguments.half_width
    if width is not None and not 0 < width < inf:
        raise UsageError(f"--half-width is {width}; it must be more than 0")
    if width is not None and arguments.against:
        raise UsageError("--half-width cannot be combined with --against, which plays all rounds")


def _table(
    agents: Sequence[NamedAgent], opponents: Sequence[NamedAgent], game: Game
) -> SeatedAgents:
    if opponents and not game.competitive:
        raise UsageError(f"{game.title} is cooperative: it cannot be played --against an opponent")
    if opponents and len(agents) > 1:
        raise UsageError("--against takes one agent")
    if opponents:
        return table_against(agents[0], opponents, game.seats)
    if game.competitive and len(agents) == 1:
        known = ", ".join(f"{HOUSE}{name}" for name in fitting(game))
        raise UsageError(
            f"{game.title} is played against others: name opponents with --against."
            f" There are {known}, and agents of your own"
        )
    return seat_agents(agents, game.seats)


def again_of(arguments: EvaluateArguments, game: Game) -> Again:
    """Return the command that plays one of the games again."""
    agents, deals = arguments.agents, arguments.deals
    words = ["firebox", "play", *agent_words(agents), *rules_words(arguments.rules, game)]
    words += [word for limit in agents.limit for word in ("--limit", limit)]
    words += ["--secret", deals.secret] if deals.secret is not None else []
    words += ["--seed", str(deals.seed)] if deals.seed is not None else []
    words += ["--no-sandbox"] if agents.no_sandbox else []
    return Again(tuple(words), arguments.against)

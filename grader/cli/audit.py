"""``firebox audit``: plays seats of recorded games again, alone and with other pauses."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

from rich.console import Console

from grader.audit import (
    AuditedGame,
    AuditReport,
    AuditRequest,
    Conclusion,
    SeatAudit,
    sample,
)
from grader.audit.words import CAUTION, attempts_in_words, explanation, headline
from grader.cli.agents import HOUSE, Written, load
from grader.cli.arguments import slot_for
from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.files import read_any_export
from grader.cli.output import facts, say
from grader.core.errors import SystemFault
from grader.core.records import AgentLimits, AgentRef, Record, to_json
from grader.core.words import printable, seat_words
from grader.house.catalogue import AGENTS
from grader.results.evaluation import game_setup
from grader.results.export import EvaluationExport
from grader.worker.auditor import audit_games

if TYPE_CHECKING:
    from grader.tournament import TournamentExport

HELP: Final = "play an export's games again with different pauses and compare the moves"

_COLUMNS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditAnswer:
    """The output of ``--json``."""

    agents: tuple[str, ...]
    """By hash, in the export's order."""
    games: tuple[int, ...]
    """The sample."""
    reports: tuple[AuditReport, ...]
    """One per agent, with its hash as id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedGames:
    """The games of an export of any kind, as an audit sees them."""

    title: str
    agents: tuple[AgentRef, ...]
    limits: AgentLimits
    games: tuple[tuple[int, tuple[int, ...], Record], ...]
    """Index, the position of the agent at each seat, and the record."""


def _played(export: "EvaluationExport | TournamentExport") -> AuditedGames:
    if isinstance(export, EvaluationExport):
        games = tuple(
            (game.index, game_setup(export.spec, game.index).seating, game.record)
            for game in export.results
        )
        agents, limits = export.agents, export.spec.limits
    else:
        games = tuple(
            (game.result.index, game.seating, game.result.record) for game in export.results
        )
        agents = tuple(participant.agent for participant in export.participants)
        limits = export.tournament.limits
    return AuditedGames(title=export.title, agents=agents, limits=limits, games=games)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditArguments:
    """The command line of ``firebox audit``."""

    file: Path = argument(metavar="EXPORT", help="the export of an evaluation or a tournament")
    agents: tuple[str, ...] = argument(
        nargs="*",
        metavar="AGENT",
        help="sources of the agents that played, recognised by their hash; house agents, and those"
        " in the store that FIREBOX_STORE_URL names, need not be given",
    )
    games: int = argument("--games", default=10, metavar="N", help="default: 10")
    seed: int = argument(
        "--seed", default=0, metavar="N", help="seed of the sample and of the random pauses"
    )
    seconds: float = argument(
        "--seconds",
        default=600.0,
        metavar="S",
        help="start no new run of an agent after this many seconds; default: 600",
    )
    no_sandbox: bool = argument(
        "--no-sandbox",
        help="run agents as plain processes, unconfined, with your own rights:"
        " only for agents that you trust",
    )
    json: bool = argument("--json", help="print the reports as JSON")


def run(arguments: AuditArguments) -> ExitStatus:
    """Audit every agent of the export. A flag is the exit status 1."""
    if arguments.games < 1:
        raise UsageError(f"--games is {arguments.games}; at least one is needed")
    played = _played(read_any_export(arguments.file))
    if not played.games:
        raise UsageError(f"there are no games in {arguments.file}")
    archives = _archives(played, arguments.agents)
    slot = slot_for(played.agents, no_sandbox=arguments.no_sandbox)
    requests = list(_requests(played, arguments))
    with Console(stderr=True).status("auditing"):
        reports = tuple(
            audit_games(request, archives[request.agent.sha256], slot) for request in requests
        )
    answer = AuditAnswer(
        agents=tuple(request.agent.sha256 for request in requests),
        games=tuple(sorted({game.index for request in requests for game in request.games})),
        reports=reports,
    )
    say(to_json(answer) if arguments.json else "\n".join(_lines(played.title, answer)))
    flagged = any(
        seat.conclusion is Conclusion.DIFFERS for report in reports for seat in report.seats
    )
    return ExitStatus.FAULT if flagged else ExitStatus.OK


def _archives(played: AuditedGames, names: Sequence[str]) -> dict[str, bytes]:
    wanted = {agent.sha256 for agent in played.agents}
    archives: dict[str, bytes] = {}
    interfaces = {agent.interface for agent in played.agents}
    written = Written(interface=interfaces.pop() if len(interfaces) == 1 else "")
    for name in names:
        program = load(name, written)
        if program.ref.sha256 not in wanted:
            raise UsageError(
                f"{name} is not one of the agents that played: its hash is {program.ref.sha256},"
                f" theirs are {', '.join(sorted(wanted))}"
            )
        archives[program.ref.sha256] = program.archive
    for name in AGENTS if wanted - set(archives) else ():
        program = load(HOUSE + name)
        archives[program.ref.sha256] = program.archive
    archives |= _stored(wanted - set(archives))
    if missing := wanted - set(archives):
        raise UsageError(
            f"the sources of agent {', '.join(sorted(missing))} are needed: name the file,"
            " or set FIREBOX_STORE_URL to the store that has them"
        )
    return archives


def _stored(hashes: set[str]) -> dict[str, bytes]:
    url = os.environ.get("FIREBOX_STORE_URL")
    if not url or not hashes:
        return {}
    try:
        from grader.uploads.store import ArtefactStore  # needs fsspec, which graders have

        store = ArtefactStore(url)
        return {key: store.get(key) for key in hashes}
    except (SystemFault, ImportError, ValueError) as error:
        raise UsageError(f"FIREBOX_STORE_URL={url}: {error}") from error


def _requests(played: AuditedGames, arguments: AuditArguments) -> Iterator[AuditRequest]:
    by_index = {index: (seating, record) for index, seating, record in played.games}
    chosen = sample(by_index, games=arguments.games, seed=arguments.seed)
    for position, agent in enumerate(played.agents):
        games = []
        for index in chosen:
            seating, record = by_index[index]
            seats = tuple(seat for seat, player in enumerate(seating) if player == position)
            if seats:
                games.append(AuditedGame(index=index, record=record, seats=seats))
        if games:
            yield AuditRequest(
                audit=agent.sha256,
                agent=agent,
                seats=(),
                limits=played.limits,
                games=tuple(games),
                seed=arguments.seed,
                seconds=arguments.seconds,
            )


def _lines(title: str, answer: AuditAnswer) -> Iterator[str]:
    yield facts(("export", printable(title)), ("games", ", ".join(map(str, answer.games))))
    for report in answer.reports:
        yield ""
        yield facts(("agent", report.audit), ("audit", headline(report.seats)))
        reported = [seat for seat in report.seats if seat.conclusion is not Conclusion.SAME]
        for text in dict.fromkeys(explanation(seat) for seat in reported):
            yield ""
            yield fill(text, _COLUMNS)
            for seat in reported:
                if explanation(seat) == text:
                    yield from _seat(seat)
        if any(seat.conclusion is Conclusion.DIFFERS for seat in reported):
            yield ""
            yield fill(CAUTION, _COLUMNS)


def _seat(audit: SeatAudit) -> Iterator[str]:
    where = f"  game {audit.index}, {seat_words(audit.seat)}"
    evidence = audit.evidence
    if evidence is None or audit.conclusion in {Conclusion.INCONCLUSIVE, Conclusion.LEFT_OUT}:
        yield f"{where}: {printable(audit.detail)}" if audit.detail else where
        return
    yield (
        f"{where}, turn {evidence.turn}: played {evidence.recorded},"
        f" {evidence.words[evidence.recorded]}"
    )
    yield (
        f"    decided in {evidence.charged_us / 1000:.1f} ms, after the others had taken"
        f" {evidence.paused_us / 1000:.1f} ms"
    )
    for line in attempts_in_words(evidence):
        yield f"    {line}"

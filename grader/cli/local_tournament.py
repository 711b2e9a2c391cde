"""A tournament that is played here and now: hands out tables, enters what comes back."""

from collections.abc import Iterator, Sequence

from grader.cli.agents import NamedAgent
from grader.core.errors import SystemFault
from grader.core.records import BatchPhase, BatchReport, BatchRequest, BuildReport, GameResult
from grader.tournament import (
    Ledger,
    ParticipantRole,
    PlanParticipant,
    TableBatch,
    TournamentExport,
    TournamentResult,
    TournamentSpec,
    WantedGame,
    batch_request,
    export_tournament,
    ledger_of,
    table_batches,
)


class LocalTournament:
    """Plays a tournament through the slots of this computer."""

    def __init__(
        self,
        spec: TournamentSpec,
        players: Sequence[NamedAgent],
        fillers: Sequence[NamedAgent],
        secret: bytes,
    ) -> None:
        """Plan it. Raises PlanError."""
        self.spec = spec
        self.programs = (*players, *fillers)
        self._secret = secret
        self._participants = [
            *(PlanParticipant(name=player.name, agent=player.ref) for player in players),
            *(
                PlanParticipant(name=filler.name, agent=filler.ref, role=ParticipantRole.FILLER)
                for filler in fillers
            ),
        ]
        self.ledger: Ledger = ledger_of(spec, self._participants, secret=secret)
        self.unbuildable: dict[str, BuildReport] = {}
        """By name. With one of them nothing more is played."""
        self._results: list[TournamentResult] = []
        self._batches: dict[str, TableBatch] = {}
        """Batches that are being played, by name."""
        self._begun = 0

    def next_request(self) -> BatchRequest | None:
        """For one more table."""
        batch = next(self._waiting(), None)
        if batch is None or self.unbuildable:
            return None
        self._begun += 1
        name = str(self._begun)
        self._batches[name] = batch
        return batch_request(
            self.spec,
            batch,
            tournament="local",
            name=name,
            participants=self._participants,
            secret=self._secret,
        )

    def note(self, report: BatchReport) -> Sequence[GameResult]:
        """Enter the results of a report; all are new."""
        batch = self._batches[report.batch]
        if report.phase is BatchPhase.FAILED:
            raise SystemFault(report.system_fault)
        for number, build in zip(batch.participants, report.builds, strict=False):
            if not build.ok:
                self.unbuildable[self._participants[number].name] = build
        for result in report.results:
            played = batch.played(result)
            self._results.append(TournamentResult(seating=played.seating, result=result))
            self.ledger.add(played)
        if report.phase is BatchPhase.DONE:
            del self._batches[report.batch]
        return report.results

    def export(self) -> TournamentExport:
        """Return the export of the tournament's games so far."""
        return export_tournament(
            self.spec,
            self._participants,
            title=", ".join(program.name for program in self.programs),
            secret=self._secret,
            reveal_secret=True,
            results=self._results,
        )

    def _waiting(self) -> Iterator[TableBatch]:
        playing = {(game.index, game.seating) for game in self._in_play()}
        wanted = [game for game in self.ledger.wanted if (game.index, game.seating) not in playing]
        return iter(table_batches(wanted))

    def _in_play(self) -> Iterator[WantedGame]:
        return (game for batch in self._batches.values() for game in batch.games)

"""Tournaments: a balanced plan, what counts whatever faults there are, standings. Pure."""

from grader.tournament.balance import Balance, balance_of
from grader.tournament.batches import TableBatch, batch_request, table_batches
from grader.tournament.crossplay import CrossPlay, cross_play
from grader.tournament.export import (
    TournamentExport,
    TournamentResult,
    TournamentVerification,
    export_tournament,
    ledger_of,
    verify_tournament,
)
from grader.tournament.figures import Figure
from grader.tournament.games_due import (
    Charge,
    Ledger,
    LedgerGame,
    PlayedTable,
    Removal,
    WantedGame,
    played,
)
from grader.tournament.plan import (
    MAX_GAMES,
    Plan,
    PlannedGame,
    PlannedTable,
    TableKind,
    plan_tournament,
    rounds_for_games,
    rounds_for_precision,
)
from grader.tournament.spec import (
    Consequence,
    Exclusion,
    ParticipantRole,
    PlanParticipant,
    Policy,
    TournamentSpec,
    players_and_fillers,
    rules_of,
)
from grader.tournament.standings import PlayedGames, Standing, Standings, standings, standings_of

__all__ = [
    "MAX_GAMES",
    "Balance",
    "Charge",
    "Consequence",
    "CrossPlay",
    "Exclusion",
    "Figure",
    "Ledger",
    "LedgerGame",
    "ParticipantRole",
    "Plan",
    "PlanParticipant",
    "PlannedGame",
    "PlannedTable",
    "PlayedGames",
    "PlayedTable",
    "Policy",
    "Removal",
    "Standing",
    "Standings",
    "TableBatch",
    "TableKind",
    "TournamentExport",
    "TournamentResult",
    "TournamentSpec",
    "TournamentVerification",
    "WantedGame",
    "balance_of",
    "batch_request",
    "cross_play",
    "export_tournament",
    "ledger_of",
    "plan_tournament",
    "played",
    "players_and_fillers",
    "rounds_for_games",
    "rounds_for_precision",
    "rules_of",
    "standings",
    "standings_of",
    "table_batches",
    "verify_tournament",
]

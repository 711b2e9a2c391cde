"""The file that proves a tournament, streamed, however many games it has."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from grader.core.records import to_json
from grader.tournament import ParticipantRole, PlanParticipant, TournamentExport, export_tournament
from webapp.base.artefacts import keyed_digest
from webapp.contests.tables.spoiled_games import result_for_others
from webapp.contests.tournaments.models import Tournament, TournamentGame
from webapp.contests.tournaments.services.scheduling import ledger_of, participants_of
from webapp.grading.evaluations.models.result import unpack_json

_NO_RESULTS: Final = '"results":[]'
"""The place of the games in the file. No text in it can look so: quotes in texts are escaped."""
_OTHER_ATTEMPT: Final = '"other_attempt":{'
"""In a game that was played twice: the play that does not count may have ended with a fault."""
_AT_A_TIME: Final = 200


def export_chunks(
    tournament: Tournament,
    *,
    reveal_secret: bool,
    with_evidence: bool = True,
    own: Collection[int] = (),
) -> Iterator[str]:
    """Yield a TournamentExport as JSON, in parts: all that ``firebox verify`` needs.

    Games that are recorded meanwhile are not in it. Without evidence it is what others than an
    agent's team and staff may read: digests of teams' programs are keyed, except ``own`` ones.
    """
    last = tournament.games.order_by("-pk").values_list("pk", flat=True).first() or 0
    export = _without_games(tournament, reveal_secret=reveal_secret, last=last)
    if not with_evidence:
        export = replace(export, participants=tuple(_keyed(export.participants, own)))
    head, _, tail = to_json(export).partition(_NO_RESULTS)
    yield f'{head}"results":['
    rows = tournament.games.filter(pk__lte=last).order_by("index", "pk")
    for number, row in enumerate(rows.iterator(chunk_size=_AT_A_TIME)):
        yield ("," if number else "") + _result(row, with_evidence=with_evidence)
    yield f"]{tail}"


def _without_games(tournament: Tournament, *, reveal_secret: bool, last: int) -> TournamentExport:
    exclusions = (participant.exclusion for participant in tournament.participants.all())
    return export_tournament(
        tournament.parsed_spec,
        participants_of(tournament),
        title=f"{tournament.assignment.course}: {tournament}",
        secret=bytes(tournament.secret),
        reveal_secret=reveal_secret,
        exclusions=[exclusion for exclusion in exclusions if exclusion is not None],
        ledger=ledger_of(tournament, last=last),
    )


def _keyed(
    participants: Iterable[PlanParticipant], own: Collection[int]
) -> Iterator[PlanParticipant]:
    for number, participant in enumerate(participants):
        if number in own or participant.role is not ParticipantRole.ENTRANT:
            yield participant
        else:
            agent = participant.agent
            yield replace(participant, agent=replace(agent, sha256=keyed_digest(agent.sha256)))


def _result(row: TournamentGame, *, with_evidence: bool) -> str:
    """Return a TournamentResult as JSON; parse the text only if a part must be left out."""
    text = unpack_json(bytes(row.packed)).decode()
    if with_evidence or not (row.fault_kind or _OTHER_ATTEMPT in text):
        seating = ",".join(map(str, row.numbers))
        return f'{{"seating":[{seating}],"result":{text}}}'
    game = row.as_result
    return to_json(replace(game, result=result_for_others(game.result)))

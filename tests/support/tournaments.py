"""A course whose teams meet in tournaments: one over, one under way, one that is still hidden."""

from dataclasses import dataclass

from grader.audit import AuditCause, AuditReport, Conclusion
from grader.core.records import from_json
from grader.house.catalogue import fitting
from grader.tournament import TournamentExport
from tests.support import tables
from tests.support import world as worlds
from tests.support.jobs import audit_request, audited_seats
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.contests.tournaments.exporting import export_chunks
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.selectors import on_same_deal
from webapp.contests.tournaments.services import (
    TournamentSetting,
    exclude,
    release,
    start_audit,
    start_tournament,
)
from webapp.flow.pipeline import accept
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.services import enrol_by_code, team_for

ASSIGNMENT = "/courses/coop/assignments/hanabi/"
CRASHES, CHEATS = 1, 3
"""Numbers of the agent that spoils its games, and of the one that is disqualified."""


def enter(world: World, user: User, source: bytes = worlds.SOURCE) -> Submission:
    """A ready submission of the user's team, without having played its smoke test.

    Each is another file: the same one sent twice within seconds counts once.
    """
    team = team_for(user=user, assignment=world.assignment)
    data = source + f"# {user.display_name}\n".encode() + b"# again\n" * team.submissions.count()
    submission = accept(team=team, by=user, filename="agent.py", data=data)
    Submission.objects.filter(pk=submission.pk).update(status=SubmissionStatus.READY)
    submission.refresh_from_db()
    return submission


def student(course: Course, name: str) -> User:
    user = worlds.person(name)
    enrol_by_code(user=user, invite_code=course.invite_code)
    return user


def start(world: World, title: str = "Spring cup", **changes: object) -> Tournament:
    """Two seats, one house agent that fills, four rounds of two games."""
    known = [*fitting(world.assignment.rules)]
    values: dict[str, object] = {
        "sizes": (2,),
        "rounds": 4,
        "games_per_table": 2,
        "fillers": ("iggi",) if "iggi" in known else (),
        "references": ("outer",) if "outer" in known else tuple(known[:1]),
    }
    setting = TournamentSetting(**{**values, **changes})  # type: ignore[arg-type]  # any field
    return start_tournament(assignment=world.assignment, by=world.ida, title=title, setting=setting)


def exported(tournament: Tournament) -> TournamentExport:
    """The file that staff can download, read again."""
    text = "".join(export_chunks(tournament, reveal_secret=True))
    return from_json(text, TournamentExport)


@dataclass
class Story:
    """The pages of the story."""

    world: World
    over: Tournament
    running: Tournament
    hidden: Tournament

    def pages(self) -> list[tuple[str, User | None, str]]:
        return [
            ("tournaments-guide", None, "/guide/tournaments/"),
            *self._read_by("student", self.world.ada),
            *self._read_by("staff", self.world.ida),
            ("staff-tournament-new", self.world.ida, ASSIGNMENT + "tournaments/new/"),
            ("staff-tournament-hidden", self.world.ida, f"/tournaments/{self.hidden.uuid}/"),
            ("staff-tournament-audit", self.world.ida, f"/tournaments/{self.hidden.uuid}/audit/"),
        ]

    def _read_by(self, who: str, user: User) -> list[tuple[str, User | None, str]]:
        over = f"/tournaments/{self.over.uuid}/"
        spoiled = self.over.games.exclude(fault_kind="").order_by("index")[0].pk
        name = self.over.participants.get(number=0).name
        addresses: dict[str, str] = {
            "all": ASSIGNMENT + "tournaments/",
            "over": over,
            "screen": over + "screen/",
            "running": f"/tournaments/{self.running.uuid}/",
            "participant": over + "participants/0/",
            "out": over + f"participants/{CHEATS}/",
            "games": over + "games/",
            "games-faults": over + f"games/?of={CRASHES}&show=faults",
            "game": over + f"games/{self.over.games.filter(fault_kind='')[0].pk}/",
            "game-beside": over + self._beside,
            "game-spoiled": over + f"games/{spoiled}/",
            "agent": ASSIGNMENT + f"tournaments/agents/{name}/",
        }
        return [(f"{who}-tournament-{key}", user, address) for key, address in addresses.items()]

    @property
    def _beside(self) -> str:
        game = self.over.games.filter(fault_kind="")[0]
        return f"games/{game.pk}/beside/{on_same_deal(game)[0].pk}/?turn=20"


def audit(tournament: Tournament, by: User) -> None:
    """Audit its agents: one is flagged, one repeats its moves, the others wait."""
    audits = start_audit(tournament=tournament, by=by, n_games=2)
    for one, conclusion in zip(audits, (Conclusion.SAME, Conclusion.DIFFERS), strict=False):
        request = audit_request(one)
        cause = AuditCause.PAUSES if conclusion is Conclusion.DIFFERS else None
        seats = audited_seats(request, conclusion, cause)
        record_audit(AuditReport(audit=request.audit, seats=seats))


def tell(*, rounds: int = 4, seats: int = 2) -> Story:
    """Six teams: one crashes whenever it plays, one is disqualified."""
    world = worlds.make()
    people = [world.ada, world.ben]
    people += [student(world.course, f"{name} Doe") for name in ("Eva", "Finn", "Gus", "Hal")]
    for user in people:
        enter(world, user)
    over = start(world, rounds=rounds, sizes=(seats,), self_play_games=1)
    exclude(
        participant=over.participants.get(number=CHEATS),
        by=world.ida,
        reason="submitted another team’s agent",
        from_beginning=True,
    )
    tables.play(over, tables.always(CRASHES))
    release(tournament=over, by=world.ida, stage=Stage.RESULTS)
    audit(over, world.ida)
    running = start(world, "Second cup", rounds=rounds)
    tables.play(running, tables=3)
    release(tournament=running, by=world.ida, stage=Stage.PARTICIPANTS)
    hidden = start(world, "Trial")
    for each in (over, running, hidden):
        each.refresh_from_db()
    return Story(world=world, over=over, running=running, hidden=hidden)

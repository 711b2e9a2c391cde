"""A small world for tests of the site: Ada, Ben, Cleo, Ida, and games that were really played.

Everything goes through the site's own services; only the graders are replaced: house agents play in
this process, and their reports are recorded as a grader's would be.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Any

from django.utils import timezone

from grader.core.deals import commitment, deal_seed
from grader.core.games import Game, game_from_options
from grader.core.records import (
    BatchPhase,
    BatchReport,
    BuildMessage,
    BuildReport,
    Evidence,
    Fault,
    FaultKind,
    GamePrints,
    GameResult,
    Printed,
    Record,
)
from grader.house.catalogue import AGENTS
from grader.play.players import LocalPlayer, play_game
from grader.results.evaluation import game_setup
from grader.results.replay import steps
from tests.support.trusted import record_batch
from webapp.flow.pipeline import accept, try_draft
from webapp.grading.evaluations.models import Draft, Evaluation
from webapp.grading.evaluations.services import grade_team
from webapp.grading.evaluations.services.batches import checks_first, indices_of, secret_of
from webapp.grading.evaluations.services.drafts import DraftOrigin, save_draft
from webapp.grading.evaluations.services.insights import compute_insights
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, Role, Team
from webapp.teaching.courses.services import (
    create_assignment,
    create_course,
    enrol_by_code,
    set_role,
    team_for,
)

PASSWORD = "play-hanabi-together"
SOURCE = b"""from firebox import Agent


class First(Agent):
    def act(self, observation):
        return observation.legal_actions[0]
"""
HOSTILE_STDERR = (
    "".join(f"thinking about turn {turn}\n" for turn in range(40))
    + "\x1b[31mTraceback\x1b[0m <script>alert(1)</script>\nKeyError: 'R6'\n"
)


def person(name: str, **fields: Any) -> User:
    first = "".join(filter(str.isalnum, name.split(maxsplit=1)[0]))
    email = f"{first.lower()}@example.org"
    return User.objects.create_user(email, PASSWORD, display_name=name, **fields)


@dataclass
class World:
    """The people and things of the test; ``make`` builds it."""

    ada: User
    ben: User
    cleo: User
    ida: User
    course: Course
    assignment: Assignment


SECRET = bytes(range(32))
"""Of every assignment here: tests play the same games, so most need to be played only once."""


def make(
    *,
    names: tuple[str, str, str] = ("Ada Lovelace", "Ben Okri", "Cleo Vance"),
    games: int = 12,
    **fields: Any,
) -> World:
    """A course of Ida's with Ada and Ben as students, Cleo as assistant, and one assignment."""
    ida = person("Ida Rhodes", may_create_courses=True)
    ada, ben, cleo = (person(name) for name in names)
    course = create_course(
        by=ida,
        title="Cooperative agents",
        slug="coop",
        term="Autumn 2026",
        timezone="Europe/Berlin",
    )
    for user in (ada, ben, cleo):
        enrol_by_code(user=user, invite_code=course.invite_code)
    confirm_address(cleo)
    place = course.enrolments.get(user=cleo)
    set_role(enrolment=place, by=ida, role=Role.ASSISTANT, reason="Assists")
    values: dict[str, Any] = {
        "slug": "hanabi",
        "title": "Hanabi with a twin",
        "description": "Write an agent that plays Hanabi with itself.\n\nStart simple.",
        "options": {"variant": "standard", "players": 2},
        "n_games": games,
        "practice_games": games,
        "smoke_games": 3,
        "due_at": timezone.now() + timedelta(days=9),
        "max_team_size": 2,
    }
    assignment = create_assignment(course=course, by=ida, **(values | fields))
    assignment.secret, assignment.commitment = SECRET, commitment(SECRET)
    assignment.save(update_fields=["secret", "commitment"])
    return World(ada=ada, ben=ben, cleo=cleo, ida=ida, course=course, assignment=assignment)


def upload(
    world: World, user: User, *, filename: str = "agent.py", data: bytes | None = None
) -> Submission:
    """An upload of the user's team, as the site takes it; another file each time without one."""
    team = team_for(user=user, assignment=world.assignment)
    if data is None:
        data = SOURCE + b"# again\n" * team.submissions.count()
    return accept(team=team, by=user, filename=filename, data=data)


def team_of(world: World, user: User) -> Team:
    """The user's team in the assignment."""
    return team_for(user=user, assignment=world.assignment)


# --- What a grader would do ------------------------------------------------------------------


def play(
    evaluation: Evaluation,
    *,
    agent: str = "",
    faults: Collection[int] = (),
    upto: int | None = None,
    prints: Collection[int] = (),
) -> Evaluation:
    """Play an evaluation to its end, or its first ``upto`` games, and record the reports.

    In the games of ``faults`` the agent raises an exception after a few turns; in those of
    ``prints`` it prints something.
    """
    evaluation = Evaluation.with_tries.select_related("assignment__course").get(pk=evaluation.pk)
    agent = agent or usual_agent(evaluation.parsed_spec.game)
    left = evaluation.n_games if upto is None else upto
    for batch in evaluation.jobs.open():
        indices = indices_of(batch)[:left]
        left -= len(indices)
        done = len(indices) == len(indices_of(batch))
        results = tuple(game_result(evaluation, index, agent, faults) for index in indices)
        if checks_first(batch):
            say(evaluation, batch.uuid, BatchPhase.BUILT, builds=(BuildReport(ok=True),))
        phase = BatchPhase.DONE if done else BatchPhase.PLAYING
        printed = tuple(prints_in(result) for result in results if result.index in prints)
        say(evaluation, batch.uuid, phase, results=results, prints=printed)
        if left <= 0:
            break
    evaluation.refresh_from_db()
    compute_insights(evaluation)
    return evaluation


def say(evaluation: Evaluation, batch: object, phase: BatchPhase, **parts: Any) -> None:
    report = BatchReport(
        evaluation=str(evaluation.uuid), batch=str(batch), phase=phase, worker="test", **parts
    )
    record_batch(report)


def reject(
    evaluation: Evaluation,
    *,
    file: str = "agent.py",
    line: int = 4,
    text: str = "invalid syntax <b>here</b>",
    log: str = "compiling \x1b[1magent.py\x1b[0m",
) -> None:
    """Report that the agent does not compile."""
    message = BuildMessage(file=file, line=line, column=9, text=text)
    batch = evaluation.jobs.get()
    report = BuildReport(ok=False, messages=(message,), log=log)
    say(evaluation, batch.uuid, BatchPhase.BUILT, builds=(report,))


def fail(evaluation: Evaluation, reason: str = "the disk is full") -> Evaluation:
    """Let every batch fail until the evaluation is given up."""
    for _ in range(3):
        for batch in evaluation.jobs.open():
            say(evaluation, batch.uuid, BatchPhase.FAILED, system_fault=reason)
    evaluation.refresh_from_db()
    return evaluation


def game_result(
    evaluation: Evaluation, index: int, agent: str, faults: Collection[int]
) -> GameResult:
    """One game of house agents on the evaluation's deal: in the agent's place, and as opponents."""
    spec = evaluation.parsed_spec
    game = game_from_options(spec.game, spec.options)
    deal, seating = game_setup(spec, index)
    classes = [class_of(agent), *map(class_of, spec.opponents)]
    seed = deal_seed(secret_of(evaluation), deal)
    record = record_of(game, seed, tuple(classes[at] for at in seating))
    record = replace(record, mode=evaluation.mode)
    if index in faults:
        result = faulted(index, record, game, seat=seating.index(0) if spec.opponents else None)
    else:
        result = result_of(index, record)
    return replace(result, seating=seating if spec.opponents else ())


def prints_in(result: GameResult) -> GamePrints:
    """Possible output of an agent in its first turns."""
    turns = range(min(8, len(result.record.actions.split())))
    lines = (
        Printed(turn=turn, seat=turn % 2, text=f"thinking about turn {turn} <script>\n")
        for turn in turns
    )
    return GamePrints(index=result.index, printed=tuple(lines))


def usual_agent(game: str) -> str:
    """The house agent that plays in the place of students' agents."""
    return "iggi" if game == "hanabi" else next(n for n, a in AGENTS.items() if a.game == game)


def class_of(name: str) -> Callable[[], Any]:
    local = AGENTS[name].local
    assert local is not None, f"{name} needs a runtime of its own"
    return local()


@cache
def record_of(game: Game, seed: bytes, agents: tuple[Callable[[], Any], ...]) -> Record:
    """The record of one game of these agents; practice deals come again and again."""
    return play_game(game, seed, [LocalPlayer(agent) for agent in agents])


def result_of(index: int, record: Record, evidence: Evidence | None = None) -> GameResult:
    """A game's result around its record."""
    seats = len(record.scores)
    return GameResult(
        index=index,
        record=record,
        wall_ms=6.0,
        max_charged_us=(max(record.charged_us, default=0),) * seats,
        peak_memory_kib=(9000,) * seats,
        evidence=evidence,
    )


def faulted(
    index: int, record: Record, game: Game, *, turn: int = 4, seat: int | None = None
) -> GameResult:
    """The same game, but the agent crashes at ``turn``; or at the next one of ``seat``."""
    acting = [step.seat for step in steps(record)]
    turn = turn if seat is None else acting.index(seat, turn)
    actions = record.actions.split()[:turn]
    fault = Fault(
        seat=acting[turn],
        kind=FaultKind.CRASH,
        turn=turn,
        detail="ended during the game: KeyError: 'R6'",
    )
    broken = replace(
        record,
        actions=" ".join(actions),
        charged_us=(*record.charged_us[:turn], 1200),
        ending="fault",
        fault=fault,
        scores=game.forfeit(fault.seat),
    )
    evidence = Evidence(
        sent='{"type":"turn","turn":4,"legal":[{"type":"play","card":0}]}',
        received='{"type":"action"<script>',
        stderr=HOSTILE_STDERR,
        exit="exit status 1",
    )
    return result_of(index, broken, evidence)


# --- Whole stories ---------------------------------------------------------------------------


def submit_and_practise(
    world: World,
    user: User,
    *,
    agent: str = "",
    faults: Collection[int] = (),
    prints: Collection[int] = (),
    **how: Any,
) -> Submission:
    """Upload, smoke test, practice: all finished."""
    submission = upload(world, user, **how)
    play(submission.evaluations.get(kind="smoke"), agent=agent)
    practice = submission.evaluations.get(kind="practice")
    play(practice, agent=agent, faults=faults, prints=prints)
    submission.refresh_from_db()
    return submission


def try_draft_of(submission: Submission, *, faults: Collection[int] = ()) -> Draft:
    """Return a draft of a submission whose try was played, with what its fault printed."""
    user, origin = (
        submission.uploaded_by,
        DraftOrigin(
            assignment=submission.team.assignment,
            interface=submission.interface,
            submission=submission,
        ),
    )
    saved = save_draft(
        draft=None, origin=origin, files=origin.files(), revision=0, user=user, at=timezone.now()
    )
    play(try_draft(draft=saved.draft, user=user), faults=faults, prints=faults)
    saved.draft.refresh_from_db()
    return saved.draft


def make_practised(**how: Any) -> World:
    """The world of ``make``, where Ada's first upload has played all its practice."""
    world = make()
    submit_and_practise(world, world.ada, **how)
    return world


def make_graded() -> World:
    """The world of ``make_practised``, where Ada has a grade too."""
    world = make_practised()
    grade(world, world.ada)
    return world


def grade(world: World, user: User, *, agent: str = "", **how: Any) -> Evaluation:
    """The graded evaluation of the user's team, finished."""
    evaluation = grade_team(team=team_of(world, user), by=world.ida)
    return play(evaluation, agent=agent, **how)

"""One evaluation as the pages of submissions and of evaluations show it."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from grader.core.games import Game
from grader.core.games.outcomes import Tally, counts_wins, tally_of
from webapp.grading.audits.outcomes import AuditPart, audit_part
from webapp.grading.evaluations import permissions
from webapp.grading.evaluations import selectors as evaluations
from webapp.grading.evaluations.comparing import Pair, with_version_before
from webapp.grading.evaluations.models import Evaluation, GameResult, Kind, Status, Verdict
from webapp.grading.evaluations.reproducing import reproduce_command
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grades_by
from webapp.pages.causes import FaultCause, causes_of, mean_without_faults, words_without_faults
from webapp.pages.figures.cards import Cards, cards_of, strip_so_far
from webapp.pages.figures.forecast import points_words
from webapp.pages.figures.strip import Strip
from webapp.pages.http import viewer_of
from webapp.teaching.courses.rights import Right


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationPart:
    """One evaluation as its page shows it."""

    evaluation: Evaluation
    game: Game
    """By the assignment's rules."""
    progress: evaluations.Progress | None
    grade: Grade | None
    """The points that it is worth; readers of the evaluation may see them."""
    worth: str
    """The mean's worth in points, as a sentence; empty if that says nothing."""
    sees_games: bool
    causes: list[FaultCause]
    """The causes of its faults, the most frequent first."""
    without_faults: str
    """The mean without the games that a fault ended, in words; empty if that says nothing."""
    worst: list[GameResult]
    command: str
    before: Pair | None
    """Over the version before, on common deals; ``None`` where there is nothing to compare."""
    cards: Cards | None
    """Statistics; ``None`` while it is played, or where there are no figures."""
    so_far: Strip | None
    """The games that are in, while it is played."""
    audit: AuditPart | None
    """For staff only."""
    may_decide: bool
    """True if the person may cancel it, or send missing games again."""

    @property
    def fault_score(self) -> int:
        """The score of a game that the agent's fault ended, or that was not played after that."""
        return self.game.own_fault_score(0)

    @property
    def tally(self) -> Tally | None:
        """Games won, drawn and lost; ``None`` in games for points."""
        return tally_of(self.game, self.evaluation.histogram)

    @property
    def worst_title(self) -> str:
        """The heading of the worst games."""
        if counts_wins(self.game):
            return "Games to look at"
        return "Most points" if self.game.lower_is_better else "Lowest scores"

    @property
    def nothing_played(self) -> bool:
        """True if every game that was begun ended with a fault: there is no mean to speak of.

        Of a graded evaluation there is: points rest on it.
        """
        run = self.evaluation
        return run.verdict == Verdict.FAULTY and run.faults >= run.games_needed and not self.grade


def part_of(request: HttpRequest, evaluation: Evaluation) -> EvaluationPart:
    """Return the part of an evaluation that this person may see.

    While it is being played that is its progress: nobody can read what is replaced every second.
    """
    sees_games = permissions.may_see_games(request.user, evaluation)
    before = with_version_before(evaluation)
    has_figures = not evaluation.is_open and evaluation.mean is not None
    causes = causes_of(evaluation, sees_games=sees_games)
    clean = mean_without_faults(evaluation, causes) if has_figures else None
    shows_games = evaluation.is_open and evaluation.games_done > 0
    return EvaluationPart(
        evaluation=evaluation,
        game=evaluation.assignment.rules,
        progress=evaluations.progress(evaluation) if evaluation.is_open else None,
        grade=grades_by([evaluation]).get(evaluation.pk),
        worth=points_words(evaluation, evaluation.assignment.rules) if has_figures else "",
        sees_games=sees_games,
        causes=causes,
        without_faults="" if clean is None else words_without_faults(evaluation, clean),
        worst=evaluations.worst_games(evaluation, limit=5)
        if sees_games and not evaluation.is_open
        else [],
        command=reproduce_command(evaluation),
        before=before,
        cards=(
            cards_of(evaluation, before=before, clean=clean, sees_games=sees_games)
            if has_figures
            else None
        ),
        so_far=strip_so_far(evaluation, opens=sees_games) if shows_games else None,
        audit=audit_of(request, evaluation),
        may_decide=(evaluation.is_open or evaluation.status == Status.FAILED)
        and permissions.may_decide(request.user, evaluation),
    )


def audit_of(request: HttpRequest, evaluation: Evaluation) -> AuditPart | None:
    """Return the replay audit for staff, once it is over."""
    over = evaluation.kind == Kind.GRADED and not evaluation.is_open
    course = evaluation.assignment.course
    if not over or not (viewer := viewer_of(request, course)).is_staff:
        return None
    may_mark = Right.INTEGRITY in viewer.rights and course.archived_at is None
    return audit_part(
        evaluation,
        address_of=lambda index: reverse("evaluations:game", args=[evaluation.uuid, index]),
        mark_address=reverse("evaluations:flags", args=[evaluation.uuid]) if may_mark else "",
    )

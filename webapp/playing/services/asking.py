"""Questions to graders: the next move of a submission in a person's game, a job each."""

from webapp.jobs.adding import add_jobs
from webapp.jobs.models import Job, Requester, Sending
from webapp.jobs.queues import Queue
from webapp.playing.models import HumanGame


def ask_agent(game: HumanGame, sending: Sending, *, seat: int) -> None:
    """Have a grader ask the submission at the seat that is to act."""
    job = Job(
        human_game=game,
        queue=Queue.LIVE,
        payload={"turn": game.turns, "seat": seat},
        n_games=1,
        **sending.columns,
    )
    add_jobs([job], by=Requester(course=game.assignment.course_id))

"""Questions to graders: the next move of a submission in a person's game, a job each."""

from webapp.jobs.models import Job, Sending
from webapp.jobs.queues import Queue
from webapp.jobs.sending import add_jobs
from webapp.playing.models import HumanGame

__all__ = ["ask_agent"]


def ask_agent(game: HumanGame, sending: Sending, *, seat: int) -> None:
    """Have a grader ask the submission at the seat that is to act."""
    job = Job(
        human_game=game,
        queue=Queue.LIVE,
        payload={"turn": game.turns, "seat": seat},
        n_games=1,
        **sending.columns,
    )
    add_jobs([job])

"""Questions to graders: the next move of a submission in a person's game, a job each."""

from datetime import datetime

from webapp.jobs.models import Job
from webapp.jobs.queues import Queue
from webapp.jobs.sending import Try, add_jobs
from webapp.playing.models import HumanGame

__all__ = ["ask_agent"]


def ask_agent(
    game: HumanGame,
    *,
    seat: int,
    at: datetime,
    again: Try | None = None,
    send_after: datetime | None = None,
) -> None:
    """Have a grader ask the submission at the seat that is to act."""
    follows = again or Try(attempt=1, losses=0)
    job = Job(
        human_game=game,
        queue=Queue.LIVE,
        payload={"turn": game.turns, "seat": seat},
        n_games=1,
        attempt=follows.attempt,
        losses=follows.losses,
        created_at=at,
        send_after=send_after,
    )
    add_jobs([job])

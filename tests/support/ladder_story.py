"""A course whose agents meet on a ladder, in real games; one left for its faults."""

from dataclasses import dataclass

from tests.support import tables, tournaments
from tests.support import world as worlds
from tests.support.ladders import jobs
from tests.support.trusted import record_batch
from tests.support.world import World
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import LadderSetting, open_ladder, play_all
from webapp.contests.ladders.services.scheduling import sum_up
from webapp.people.accounts.models import User

LADDER = tournaments.ASSIGNMENT + "ladder/"
CRASHES = 4
"""The number of the agent that spoils its games."""


@dataclass
class Story:
    """The pages of the story."""

    world: World
    ladder: Ladder

    def pages(self) -> list[tuple[str, User | None, str]]:
        return [
            ("ladders-guide", None, "/guide/ladders/"),
            ("student-ladder", self.world.ada, LADDER),
            ("student-ladder-games", self.world.ada, f"{LADDER}games/"),
            ("student-ladder-game", self.world.ada, f"{LADDER}games/{self.game}/?turn=20"),
            ("student-ladder-faulty", self.faulty, LADDER),
            ("staff-ladder", self.world.ida, LADDER),
        ]

    @property
    def game(self) -> int:
        """The index of a game of the first round."""
        return self.ladder.games.filter(fault_kind="").earliest("index").index

    @property
    def faulty(self) -> User:
        """A student whose agent left for its faults."""
        submission = self.ladder.entries.get(number=CRASHES).submission
        assert submission is not None
        return submission.team.users.get()


def meet(ladder: Ladder, *, tables_to_play: int) -> None:
    """Play ``tables_to_play`` tables, or until nothing is requested."""
    for _ in range(tables_to_play):
        waiting = jobs(ladder)
        if not waiting:
            break
        games = tables.results(waiting[0], tables.always(CRASHES))
        record_batch(tables.report(waiting[0], games=games))


def tell(*, tables_to_play: int = 40) -> Story:
    """Six teams and two house agents."""
    world = worlds.make()
    people = [world.ada, world.ben]
    people += [tournaments.student(world.course, f"{name} Doe") for name in ("Eva", "Finn", "Gus")]
    for user in people:
        tournaments.enter(world, user)
    setting = LadderSetting(house_agents=("outer", "piers"), half_width=0.3)
    ladder = open_ladder(assignment=world.assignment, by=world.ida, setting=setting)
    meet(ladder, tables_to_play=tables_to_play)
    tournaments.enter(world, world.ada)
    play_all()
    meet(ladder, tables_to_play=8)
    ladder.refresh_from_db()
    sum_up(ladder, at=ladder.opened_at)
    return Story(world=world, ladder=ladder)

"""Selectors of people's games. Nothing here tells a hidden card before the end."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from grader.core.games import Game, outcomes, presented
from grader.core.games.base import State
from grader.core.games.scenes import actions_before
from grader.core.position import state_after
from grader.core.records import Record
from grader.core.referee import PlayerFailure, Reply, TurnKind, referee
from grader.house.catalogue import PARTNERS, answering, fitting
from grader.viewer import Seat, played, restored
from webapp.contests.playing.models import GameStatus, HumanGame, Occupant
from webapp.grading.jobs.queues import Queue
from webapp.grading.operations.selectors import served_queues
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import agent_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, PlayWith, Role
from webapp.teaching.courses.permissions import viewer_in

MAX_OWN: Final = 10
"""The newest submissions of a team that are offered."""


def agents_for(
    user: User, assignment: Assignment, rules: Game | None = None
) -> Mapping[str, Occupant]:
    """Return the agents that a person may play with, by key.

    First ours that graders play, then those that answer at once, weakest first, then submissions.
    """
    role = viewer_in(user, assignment.course).role
    if assignment.play_with == PlayWith.NOBODY or role is None:
        return {}
    rules = rules or assignment.rules
    quick = answering(rules)
    agents = {
        f"house:{name}": Occupant(name=name, house=name, sandboxed=name not in quick)
        for name in sorted(fitting(rules), key=lambda name: name in quick)
    }
    if assignment.play_with == PlayWith.OWN:
        agents |= _submissions(user, assignment, role)
    return agents


def _submissions(user: User, assignment: Assignment, role: Role) -> dict[str, Occupant]:
    """Return the team's own ready submissions, or for staff each team's newest; newest last."""
    ready = (
        Submission.objects.with_sources()
        .filter(team__assignment=assignment, status=SubmissionStatus.READY)
        .select_related("team")
    )
    if role == Role.STUDENT:
        rows = list(ready.filter(team__memberships__user=user).order_by("-number")[:MAX_OWN])
    else:
        rows = list(
            {
                submission.team_id: submission for submission in ready.order_by("-number")[::-1]
            }.values()
        )
    return {
        f"submission:{submission.pk}": _occupant(submission, assignment)
        for submission in reversed(rows)
    }


def _occupant(submission: Submission, assignment: Assignment) -> Occupant:
    name = f"{submission.team.name}, submission {submission.number}"
    agent = agent_of(submission, assignment.interface_options)
    return Occupant(name=name, submission=submission.pk, agent=agent)


def default_agent(agents: Mapping[str, Occupant]) -> str | None:
    """Return the key of the newest submission.

    Of house agents: one whose partners need no convention, or the strongest.
    """
    last = next(reversed(list(agents)), None)
    partners = [key for key, agent in agents.items() if agent.house in PARTNERS]
    is_house = last is not None and agents[last].submission is None
    return partners[-1] if partners and is_house else last


def games_of(user: User, assignment: Assignment) -> list[HumanGame]:
    """A person's games of an assignment, newest first."""
    rows = HumanGame.objects.filter(person=user, assignment=assignment)
    return list(rows.select_related("assignment")[:20])


def data_of(game: HumanGame) -> dict[str, Any]:
    """Return the game as the person's seat sees it, after its end with all cards.

    Raises RecordError if the rules have changed since.
    """
    rules, state = game.rules, _state(game)
    shown = played(
        rules,
        game.seed,
        game.notations,
        seats=_seats(game),
        charged_us=game.charged_us,
        fault=game.ending_fault,
        viewer=game.seat if game.is_open else None,
    )
    return {**shown, "me": game.seat, **_present(game, rules, state)}


def _seats(game: HumanGame) -> list[Seat]:
    names = [occupant.title for occupant in game.occupants]
    return [Seat(name=name, own=seat == game.seat) for seat, name in enumerate(names)]


def update_of(game: HumanGame, *, since: int) -> dict[str, Any]:
    """Return the changes after the first ``since`` actions; of a game that has ended, only that."""
    if not game.is_open:
        return {"turn": game.turns, "over": True}
    if game.turns <= since:
        return {"turn": game.turns} | ({"stuck": True} if is_stuck(game) else {})
    data = data_of(game)
    seen = bisect_right(actions_before(restored(data)), since) - 1
    new = {"seen": seen, "turns": data["turns"][seen:], "charged_us": data["charged_us"][since:]}
    return {**new, **{name: data[name] for name in ("turn", "acts", "legal")}}


def grader_is_ready() -> bool:
    """Return whether any grader plays with people."""
    return Queue.LIVE in served_queues()


def is_stuck(game: HumanGame) -> bool:
    """Return whether a game may wait for an agent that no grader plays at the moment."""
    return any(occupant.needs_grader for occupant in game.occupants) and not grader_is_ready()


def text_of(game: HumanGame) -> str:
    """The table as the person's seat sees it; all of it for one who watches."""
    state = _state(game)
    if not game.is_open or game.seat is None:
        return state.text()
    return presented(game.rules).seen(state, game.seat)


def result_words(game: HumanGame) -> str:
    """Return the outcome of a game as text: ``19 points``."""
    if game.status != GameStatus.FINISHED:
        return game.get_status_display()
    rules, scores = game.rules, _state(game).scores()
    if rules.competitive and game.seat is None:
        if outcomes.counts_wins(rules):
            return outcomes.winner_words(scores)
        return f"{', '.join(outcomes.score_words(rules, score) for score in scores)} points"
    own_score = scores[game.seat or 0]
    own = outcomes.result_words(rules, own_score)
    if outcomes.counts_wins(rules):
        return f"you {own}" if own != "drawn" else own
    if not rules.competitive:
        return own
    best = (min if rules.lower_is_better else max)(scores)
    return f"{own}: you won" if own_score == best else own


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstMove:
    """The first action of a game that was played on from another one."""

    turn: int
    name: str
    here: str
    there: str
    """The action of the other game; empty if a fault ended it there."""
    is_same: bool


def first_move(game: HumanGame) -> FirstMove | None:
    """Return what was done at the turn from which a game was played on; ``None`` before it is."""
    origin = game.played_on_from
    if origin is None or game.turns <= origin.turns:
        return None
    rules, turn, notation = game.rules, origin.turns, game.notations[origin.turns]
    state = state_after(rules, game.seed, game.notations[:turn])

    def words(notation: str) -> str:
        return state.describe(rules.parse(notation)) if notation else ""

    return FirstMove(
        turn=turn,
        name=game.occupants[state.seat_to_act or 0].title,
        here=words(notation),
        there=words(origin.move),
        is_same=notation == origin.move,
    )


def record_of(game: HumanGame) -> Record | None:
    """Return the record of a game that reached its end or a fault; ``None`` otherwise.

    People and agents of ours are charged no time. Raises RecordError if the rules have changed
    since.
    """
    fault, answers = game.ending_fault, iter(zip(game.notations, game.charged_us, strict=True))
    if game.status not in {GameStatus.FINISHED, GameStatus.FAULTED}:
        return None
    rules = game.rules
    play = referee(rules, game.seed)
    turn = next(play)
    while True:
        answer: Reply | PlayerFailure | None = None
        if turn.kind is TurnKind.START:
            answer = Reply(None, 0)
        elif turn.kind is TurnKind.ACT:
            notation, charged_us = next(answers, ("", None))
            answer = Reply(dict(rules.parse(notation)), charged_us or 0) if notation else None
            if fault is not None and answer is None:
                answer = PlayerFailure(fault.kind, fault.detail, 0)
        try:
            turn = play.send(answer)
        except StopIteration as stop:
            record: Record = stop.value
            return record


def _state(game: HumanGame) -> State:
    return state_after(game.rules, game.seed, game.notations)


def _present(game: HumanGame, rules: Game, state: State) -> dict[str, Any]:
    legal = []
    if game.is_open and game.seat is not None and state.seat_to_act == game.seat:
        shown = presented(rules)
        legal = [
            {
                "move": rules.notate(action),
                "words": shown.offered(state, game.seat, action),
                "action": action,
            }
            for action in state.legal_actions()
        ]
    return {"turn": game.turns, "acts": state.seat_to_act if game.is_open else None, "legal": legal}

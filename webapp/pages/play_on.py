"""The page from which people play on from a turn of a game that is over.

The game's own page checks who may see it, and makes a PastGame.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from grader.core.words import seat_words
from grader.viewer.files import styles
from webapp.contests.playing import selectors, services
from webapp.contests.playing.models import YOU, Occupant
from webapp.contests.playing.origins import PastGame
from webapp.pages.http import assignment_context, current_user, saved
from webapp.pages.replays import ReplayViewer
from webapp.pages.turn_pictures import TurnPicture, turn_picture
from webapp.teaching.courses.models import Assignment, PlayWith


def may_play_on(assignment: Assignment) -> bool:
    """Return whether games of the assignment can be played on from."""
    return assignment.play_with != PlayWith.NOBODY and assignment.course.archived_at is None


def play_on_page(request: HttpRequest, game: PastGame) -> HttpResponse:
    """Choose who sits where at the turn that the address names, and begin."""
    user = current_user(request)
    asked = request.GET.dict()
    if game.is_faulted:
        asked.setdefault("turn", str(len(game.actions)))
    picture = turn_picture(game.rules, game.scenes, game.names, asked)
    turns = game.turns_at(picture.position)
    context: dict[str, Any] = {
        **assignment_context(game.assignment),
        "past": game,
        "viewer": _still_viewer(game, picture),
        "turn_name": picture.name,
        "acts": game.scenes[picture.position]["to_act"],
        "next_words": game.next_words(turns),
        "grader_is_ready": selectors.grader_is_ready(),
    }
    agents = selectors.agents_for(user, game.assignment, game.rules)
    if agents and context["acts"] is not None:
        form = PlayOnForm(
            request.POST or None,
            game=game,
            acts=context["acts"],
            agents=agents,
            graders=context["grader_is_ready"],
        )
        made = saved(
            form,
            lambda: services.play_on(game=game, turns=turns, by=user, seats=form.seats()),
        )
        if made is not None:
            table = reverse("playing:game", args=[made.uuid])
            return redirect(table if made.is_open else f"{table}?turn={turns}")
        context["form"] = form
    return render(request, "playing/play_on.html", context)


def _still_viewer(game: PastGame, picture: TurnPicture) -> ReplayViewer:
    names = tuple(name for name, _ in styles(game.rules.name))
    return ReplayViewer(scripts=(), styles=names, games=(), stills=(picture,))


class PlayOnForm(forms.Form):
    """The occupant of each seat of a game that is played on: an agent, or the person at one.

    The person takes the seat that is to act unless they choose otherwise. At the other seats sit
    those that sat there, as far as the person may have them play and they can play now.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        game: PastGame,
        acts: int,
        agents: Mapping[str, Occupant],
        graders: bool,
    ) -> None:
        """Without ``graders``, agents that need one are not chosen beforehand."""
        super().__init__(data)
        able = {key: agent for key, agent in agents.items() if graders or not agent.needs_grader}
        keys = {name: key for key, agent in able.items() for name in (agent.name, agent.title)}
        keys |= {name: key for name, key in game.keys.items() if key in able}
        self.default = selectors.default_agent(able or agents) or next(iter(agents))
        self.default_name = agents[self.default].title
        self.acts = acts
        you = (YOU, "You")
        for seat, name in enumerate(game.names):
            self.fields[f"seat{seat}"] = forms.ChoiceField(
                label=seat_words(seat).capitalize() + (", to act" if seat == acts else ""),
                choices=[you, *((key, agent.label) for key, agent in agents.items())],
                initial=YOU if seat == acts else keys.get(name, self.default),
            )

    def seats(self) -> list[str]:
        """The key of each seat's occupant. One button asks an agent at the seat that is to act."""
        chosen = [self.cleaned_data[name] for name in self.fields]
        if asked := self.data.get("ask"):
            chosen[self.acts] = asked
        return chosen

"""Make a public link to a game, show it to its owner, take it back."""

from typing import Final, cast
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache

from webapp.contests.sharing import selectors, services
from webapp.contests.sharing.models import COLUMNS, AnyGame, GameLink
from webapp.contests.sharing.permissions import assignment_of, may_share
from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import assignment_context
from webapp.pages.game_links import page_of, public_address
from webapp.pages.http import current_user, is_saved, run_with_message, signed_in
from webapp.people.accounts.models import User

_SHOWS: Final = (
    "Anybody with the link can watch the whole game, without an account: all cards and all moves.",
    "They do not see the agent’s code, its output, or why it failed.",
    "They see no name of a team or a person, unless you tick the box for your own.",
    "Search engines are asked not to list the page.",
)


class LinkForm(forms.Form):
    """Asks whether the page may name its owner."""

    shows_names = forms.BooleanField(required=False)

    def __init__(self, *args: object, names: list[str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # of a form
        if names:
            self.fields["shows_names"].label = f"Show the name {' and '.join(names)}"
            self.fields["shows_names"].help_text = "Without it, the page says “Agent A”."
        else:
            del self.fields["shows_names"]


@signed_in("GET", "POST")
@never_cache
def share(request: HttpRequest, column: str, key: int) -> HttpResponse:
    """Ask before the link is made; from then on show it."""
    user, game = current_user(request), _game(column, key)
    if not may_share(user, game):
        raise Http404("No game that can be shown to others.")
    if (link := selectors.link_to(game, user)) is not None:
        return _show(request, link)
    form = LinkForm(
        request.POST if request.method == "POST" else None, names=selectors.own_names(game, user)
    )
    if request.method == "POST" and is_saved(form, lambda: _make(game, user, form)):
        return redirect(request.get_full_path())
    question = Question(
        title="Show this game to anybody?",
        effects=_SHOWS,
        undoing="You can take the link back at any time.",
        button="Make a public link",
        back=f"{page_of(game)}{_turn(request)}",
        assignment=assignment_of(game),
        form=form,
    )
    return ask(request, question)


def _make(game: AnyGame, user: User, form: LinkForm) -> None:
    shows_names = form.cleaned_data.get("shows_names", False)
    services.make_link(game=game, by=user, shows_names=shows_names)


def _show(request: HttpRequest, link: GameLink) -> HttpResponse:
    turn = _turn(request)
    source = f"{public_address(link, name='embed')}{turn}"
    frame = f'<iframe src="{source}" width="100%" height="720"></iframe>'
    context = {
        **assignment_context(link.assignment),
        "link": link,
        "address": f"{public_address(link)}{turn}",
        "frame": frame if settings.FRAME_ANCESTORS else "",
        "sites": settings.FRAME_ANCESTORS,
        "game_url": f"{page_of(link.game)}{turn}",
    }
    return render(request, "sharing/link.html", context)


def _turn(request: HttpRequest) -> str:
    """Return the query that names the turn which the reader came from."""
    asked = {name: request.GET[name] for name in ("turn", "as") if request.GET.get(name)}
    return f"?{urlencode(asked)}" if asked else ""


def _game(column: str, key: int) -> AnyGame:
    if column not in COLUMNS:
        raise Http404("No such kind of game.")
    return cast("AnyGame", get_object_or_404(COLUMNS[column], pk=key))


@signed_in("GET", "POST")
@never_cache
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a link of one's own, once it was asked for a second time."""
    user = current_user(request)
    link = get_object_or_404(GameLink.objects.kept().with_games(), pk=pk, owner=user)
    if request.method == "POST":
        run_with_message(
            request,
            lambda: services.take_back_link(link=link, by=user),
            done="The link is taken back. Its page says so from now on.",
        )
        return redirect(page_of(link.game))
    question = Question(
        title="Take the public link back?",
        effects=("Whoever opens it from now on is told that you took it back.",),
        undoing="This link cannot be restored. You can make another one.",
        button="Take the link back",
        back=page_of(link.game),
        assignment=link.assignment,
    )
    return ask(request, question)

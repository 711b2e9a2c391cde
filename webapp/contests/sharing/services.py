"""Make a public link to a game, and take it back."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from webapp.base.errors import NotAllowed, Refused
from webapp.contests.sharing.models import AnyGame, GameLink, column_of
from webapp.contests.sharing.permissions import assignment_of, may_share
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.permissions import require_unarchived

MAX_LINKS: Final = 30
WINDOW: Final = timedelta(hours=1)


@transaction.atomic
def make_link(
    *, game: AnyGame, by: User, shows_names: bool, at: datetime | None = None
) -> GameLink:
    """Return the person's link to the game, made if there is none. Raises NotAllowed, Refused."""
    assignment, now = assignment_of(game), at or timezone.now()
    require_unarchived(assignment.course)
    if not may_share(by, game):
        raise NotAllowed("This game cannot be shown to people outside of the course.")
    User.objects.select_for_update().get(pk=by.pk)  # two clicks at once
    column = column_of(game)
    made = GameLink.objects.filter(owner=by)
    if (link := made.kept().filter(**{column: game}).first()) is not None:
        return link
    if made.filter(created_at__gt=now - WINDOW).count() >= MAX_LINKS:
        raise Refused(f"You made {MAX_LINKS} links within an hour, which is the maximum. Wait.")
    link = GameLink.objects.create(
        owner=by, assignment=assignment, shows_names=shows_names, created_at=now, **{column: game}
    )
    record(ActKind.GAME_SHARED, by=by, thing=assignment, at=now)
    return link


@transaction.atomic
def take_back_link(*, link: GameLink, by: User, at: datetime | None = None) -> None:
    """Close a link for good. Raises NotAllowed for another person's link."""
    if link.owner_id != by.pk:
        raise NotAllowed("This is another person's link.")
    now = at or timezone.now()
    if not GameLink.objects.kept().filter(pk=link.pk).update(taken_back_at=now):
        return  # a second click
    assignment = link.assignment
    record(ActKind.LINK_TAKEN_BACK, by=by, thing=assignment, at=now)

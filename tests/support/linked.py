"""A course that a learning platform opens, its life, and two factors: pages of administration."""

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.utils import timezone

from tests.support import world as worlds
from tests.support.world import World
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

_COURSE = "/courses/coop/"
_ASSIGNMENT = _COURSE + "assignments/hanabi/"


@dataclass
class Linked:
    """The world."""

    world: World

    def pages(self) -> list[tuple[str, User | None, str]]:
        ben, ida = self.world.ben, self.world.ida
        return [
            ("student-two-factor", ben, "/accounts/two-factor/"),
            ("student-two-factor-remove", ben, "/accounts/two-factor/app/remove/"),
            ("staff-confirm", ida, "/accounts/confirm/"),
            ("staff-platforms", ida, _COURSE + "platforms/"),
            ("staff-platform-points", ida, _ASSIGNMENT + "platforms/"),
            ("staff-tasks", ida, _COURSE),
            ("staff-life", ida, _COURSE + "life/"),
            ("staff-copy", ida, _COURSE + "life/copy/"),
        ]


def tell() -> Linked:
    """Link the course with a platform that took no points; Ben has a second factor."""
    world = worlds.make()
    link_platform(assignment=world.assignment, by=world.ida, users=[world.ada, world.ben])
    TOTP.activate(world.ben, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(world.ben)
    return Linked(world)


def link_platform(*, assignment: Assignment, by: User, users: Sequence[User]) -> None:
    """Link a course with a platform that did not take these students' points."""
    platform = register("https://moodle.example", client_id="c")
    linked = LinkedCourse.objects.create(
        platform=platform,
        deployment_id="1",
        context_id="1",
        title="Multi-agent games, winter",
        course=assignment.course,
        linked_by=by,
    )
    link = LinkedAssignment.objects.create(
        linked_course=linked,
        resource_link_id="1",
        assignment=assignment,
        lineitem_url="https://moodle.example/columns/1",
    )
    Score.objects.bulk_create(
        Score(
            link=link,
            user=user,
            points=81,
            maximum=100,
            state=Score.State.FAILED,
            due_at=timezone.now(),
            error="answered 404: {'error': 'no user with this id in the course'}",
        )
        for user in users
    )


def register(url: str, *, client_id: str, deployment_ids: str = "1", domains: str = "") -> Platform:
    return Platform.objects.create(
        name="Moodle",
        issuer=url,
        client_id=client_id,
        deployment_ids=deployment_ids,
        auth_login_url=f"{url}/auth",
        token_url=f"{url}/token",
        keys_url=f"{url}/keys",
        domains=domains,
    )

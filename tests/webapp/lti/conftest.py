"""A running platform, registered here, and a user who opens links in it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.linked import register
from tests.support.lti_platform import CLAIM, TEACHER, LtiPlatform
from tests.support.world import World
from webapp.flow.lti.models import LinkedCourse, Platform, ToolKey
from webapp.flow.lti.platforms import public_keys
from webapp.people.accounts.identities import confirm_address

Open = Callable[..., Any]


@pytest.fixture(scope="session")
def _platform_of_session() -> Iterator[LtiPlatform]:
    platform = LtiPlatform()
    platform.start()
    yield platform
    platform.stop()


@pytest.fixture
def registered(world: World, _platform_of_session: LtiPlatform) -> Platform:
    for user in (world.ada, world.ben, world.cleo, world.ida):
        confirm_address(user)
    return register(
        _platform_of_session.url,
        client_id=LtiPlatform.client_id,
        deployment_ids=f"1\n{LtiPlatform.deployment_id}\n",
        domains="example.org",
    )


@pytest.fixture(scope="session")
def _keys_of_site() -> list[str]:
    """The private key that the site made in the first of these tests, for all others."""
    return []


@pytest.fixture
def platform(
    registered: Platform, _platform_of_session: LtiPlatform, _keys_of_site: list[str]
) -> LtiPlatform:
    cache.clear()
    for pem in _keys_of_site:
        ToolKey.objects.create(private_pem=pem)
    keys = {"keys": public_keys()}
    _keys_of_site[:] = [ToolKey.objects.get().private_pem]
    _platform_of_session.forget()
    _platform_of_session.tool_keys = lambda: keys
    return _platform_of_session


def begin(platform: LtiPlatform, client: Client) -> str:
    hints = {"iss": platform.url, "client_id": platform.client_id, "login_hint": "1"}
    data = {**hints, "target_link_uri": "http://testserver/lti/launch/"}
    return str(client.post("/lti/login/", data)["Location"])


@pytest.fixture
def open_link(platform: LtiPlatform) -> Open:
    """Open a link in the platform.

    The value is the page that the site shows then, or what leads there if ``follow`` is false.
    """

    def open_link(client: Client | None = None, *, follow: bool = True, **claims: Any) -> Any:
        browser = client or Client()
        form = platform.launch_token(begin(platform, browser), **claims)
        return browser.post("/lti/launch/", form, follow=follow)

    return open_link


@pytest.fixture
def linked(platform: LtiPlatform, open_link: Open, world: World) -> LinkedCourse:
    """The platform's course, which Ida has linked with hers."""
    client = Client()
    ida = {"sub": "ida", "email": "ida@example.org", CLAIM + "roles": [TEACHER]}
    open_link(client, follow=False, **ida)
    client.post("/lti/link/", {"course": world.course.pk})
    return LinkedCourse.objects.get()

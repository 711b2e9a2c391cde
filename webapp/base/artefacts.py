"""The artefact store as the settings say, and the house agents' place in it."""

from functools import lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

from grader.core.records import AgentRef
from grader.house.catalogue import AGENTS
from grader.interfaces import interface_named
from grader.uploads.archive import read_upload
from grader.uploads.store import ArtefactStore


@lru_cache(maxsize=4)
def _store_at(url: str) -> ArtefactStore:
    return ArtefactStore(url)


def store() -> ArtefactStore:
    """The store that graders read from. Its methods raise SystemFault."""
    return _store_at(settings.STORE_URL)


def keyed_digest(sha256: str) -> str:
    """Return a digest that matches the same program again, and with which nobody can read it."""
    return salted_hmac("webapp.artefacts.keyed_digest", sha256, algorithm="sha256").hexdigest()


def stored_house_agent(name: str) -> AgentRef:
    """Store a house agent if it is not there yet, and return its reference.

    Packed as an upload would be, so that its hash is the one that the command line shows.
    """
    agent = AGENTS[name]
    shape = interface_named(agent.interface).upload
    archive = read_upload("house.zip", agent.bundle(), shape).archive()
    return AgentRef(interface=agent.interface, sha256=store().put(archive))

"""The page on limits has them all, with their values."""

import pytest
from pytest_django import Settings

from firebox_native import builder
from grader.core.records import AgentLimits
from grader.interfaces import BUILD_OUTPUT_BYTES, BUILDER_MIB, INTERFACES
from tests.support.every import every
from tests.webapp.guide.reading import text_of

pytestmark = pytest.mark.django_db


def test_every_limit_is_there_with_its_value() -> None:
    text, limits = text_of("limits"), AgentLimits()
    for name in AgentLimits.__dataclass_fields__:
        assert name in text
        assert f"{getattr(limits, name):,}" in text


@every("name", INTERFACES)
def test_the_limits_page_has_what_a_language_adds_and_how_long_it_may_compile(name: str) -> None:
    interface, text, limits = INTERFACES[name], text_of("limits"), AgentLimits()
    added = interface.allowance
    memory = f"+ {added.memory_mib} MiB" if added.memory_mib else "–"
    seconds = f"+ {added.start_seconds:g} s" if added.start_seconds else "–"
    room = BUILDER_MIB if interface.runtime.builder else limits.memory_mib + added.memory_mib
    row = f"{interface.title}{memory}{seconds}{interface.build.seconds:g} s{room} MiB"
    assert row in text


def test_the_limits_page_has_how_large_a_compiled_agent_may_be() -> None:
    text = text_of("limits")
    assert f"may be at most {BUILD_OUTPUT_BYTES >> 20} MiB" in text
    assert f"a compiled C++ or Haskell program {builder._MAX_MADE_BYTES >> 20} MiB" in text


def test_the_limits_of_uploads_are_the_archives_own_and_the_sites(settings: Settings) -> None:
    assert "1 MiB packed, 5 MiB unpacked and 200 files" in text_of("limits")
    settings.MAX_UPLOAD_BYTES = 3 << 20
    assert "3 MiB packed, 5 MiB unpacked and 200 files" in text_of("limits")

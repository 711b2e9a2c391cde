"""The class of ``agent.py`` that plays."""

from typing import Any

import pytest

import firebox
from firebox.loading import LoadError, agent_class


def defined(*names: str, module: str = "agent") -> dict[str, Any]:
    namespace: dict[str, Any] = {"Agent": firebox.Agent, "Context": firebox.Context}
    for name in names:
        namespace[name] = type(name, (firebox.Agent,), {"__module__": module})
    return namespace


def test_the_class_called_agent_plays_or_the_only_one() -> None:
    namespace = defined("Mine")
    assert agent_class(namespace) is namespace["Mine"]
    namespace = defined("Other", "Agent")
    assert agent_class(namespace) is namespace["Agent"]
    namespace = defined("Mine")
    namespace["Alias"] = namespace["Mine"]
    assert agent_class(namespace) is namespace["Mine"]


def test_a_class_of_another_module_plays_only_if_it_is_called_agent() -> None:
    namespace = defined("Mine", module="players")
    namespace["Agent"] = namespace["Mine"]
    assert agent_class(namespace) is namespace["Mine"]
    namespace = defined("Helper", module="players") | {
        name: value for name, value in defined("Mine").items() if name == "Mine"
    }
    assert agent_class(namespace) is namespace["Mine"]


def test_no_agent_or_several_are_an_error_that_says_what_to_write() -> None:
    with pytest.raises(LoadError, match=r"\(One, Two\).*Agent = Two"):
        agent_class(defined("One", "Two"))
    with pytest.raises(LoadError, match=r"inherits from firebox\.Agent"):
        agent_class(defined())

"""The site's texts on interfaces: titles, uploads, and additions to limits.

The interfaces themselves are the grader's; here is only how pages and forms speak of them.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.games import game_named
from grader.core.records import Mode
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, Interface, interface_named

DEFAULT: Final = DEFAULT_INTERFACE
"""Interfaces of a new assignment, and of those from before there were several."""
ANY: Final = ""
"""An upload whose interface is found out from its sources."""
OPTIONS: Final = {
    name: tuple(interface for interface in INTERFACES.values() if name in interface.options)
    for name in sorted({name for interface in INTERFACES.values() for name in interface.options})
}
"""The interfaces that have an option, by the option's name."""
MODE_WORDS: Final = {
    Mode.SEAT: "Each seat is a process of its own: what one seat knows the others learn from hints"
    " alone.",
    Mode.TEAM: "One process plays all seats. An agent can share memory between them, but the cards"
    " that the seat in turn must not see are masked.",
}
"""The meaning of each mode for an agent and its score."""


def choices() -> list[tuple[str, str]]:
    """All interfaces for a form or a column: name and title."""
    return [(name, interface.title) for name, interface in INTERFACES.items()]


def interfaces_for(game: str) -> list[tuple[str, str]]:
    """Return the interfaces of agents for this game, for a form: name and title."""
    kind = game_named(game)
    return [(name, each.title) for name, each in INTERFACES.items() if each.plays(kind)]


def short_title(name: str) -> str:
    """Return the title without the course in brackets; an unknown name is returned unchanged."""
    interface = INTERFACES.get(name)
    return name if interface is None else interface.title.partition(" (")[0]


def options_of(interface: str, switched_on: Iterable[str]) -> tuple[str, ...]:
    """Return the assignment's options that this interface has, sorted."""
    return tuple(sorted(set(switched_on) & set(interface_named(interface).options)))


def accepted_files(names: Sequence[str]) -> str:
    """The endings that a file dialog offers, as HTML's ``accept`` has it."""
    endings = [end for name in names for end in interface_named(name).upload.suffixes]
    return ",".join(dict.fromkeys([*endings, ".zip"]))


def upload_words(name: str) -> SafeString:
    """Describe an upload for an interface: ``One .java file, or a zip with all Java sources``."""
    shape = interface_named(name).upload
    one = format_html("One <code>{}</code> file", shape.suffixes[0])
    if not shape.keeps_name and not shape.entry:
        one = format_html("{}, <code>{}</code>", one, shape.stored_as)
    if shape.entry:
        return format_html("{}, or a zip with <code>{}</code> at its top.", one, shape.entry)
    return format_html("{}, or a zip with all of the agent’s {} sources.", one, shape.language)


def variants(game: str) -> str:
    """Name the variants that agents of each interface were written for, in a sentence."""
    fitting = [INTERFACES[name] for name, _ in interfaces_for(game)]
    bound = [interface for interface in fitting if interface.rules.variant]
    title_of = game_named(game).variant_title
    parts = [
        f"{title_of(interface.rules.variant)} for {short_title(interface.name)}{_seats(interface)}"
        for interface in bound
    ]
    free = [short_title(interface.name) for interface in fitting if not interface.rules.variant]
    choose = f"Choose {'; '.join(parts)}. " if parts else ""
    return f"{choose}Any rules suit {', '.join(free)}."


def _seats(interface: Interface) -> str:
    if not interface.rules.players:
        return ""
    return f" ({' or '.join(map(str, interface.rules.players))} players)"


def extras(names: Iterable[str]) -> str:
    """Describe allowances for these interfaces' runtimes in a sentence; empty if none."""
    interfaces = [interface_named(name) for name in names]
    return " ".join(_extra(interface) for interface in interfaces if _extra(interface))


def _extra(interface: Interface) -> str:
    parts = []
    if interface.allowance.memory_mib:
        parts.append(f"{interface.allowance.memory_mib} MiB of memory")
    if interface.allowance.start_seconds:
        parts.append(f"{interface.allowance.start_seconds:g} s to start")
    if not parts:
        return ""
    return f"{short_title(interface.name)} gets {' and '.join(parts)} on top, for its runtime."

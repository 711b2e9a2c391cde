"""The guide's table of contents, and the tables that its pages take from the code."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from django.urls import reverse

from firebox import adapter, seat
from grader.core.games import DEFAULT_GAME, GAMES, folder_of
from grader.core.records import AgentLimits, FaultKind
from grader.interfaces import INTERFACES
from grader.interfaces.guide import guide_of
from webapp.pages.guide.docstrings import members

EXAMPLES: Final = Path(__file__).parent / "examples"
"""Programs and transcripts that pages show unchanged; tests run them."""


class GuidePart(StrEnum):
    """The subject of a page; the index shows the parts in this order."""

    BEGIN = "Getting started"
    """For everybody."""
    WRITTEN_IN = "Languages and interfaces"
    """A page for each interface, and one for those who use none."""
    PLAYED = "Playing and grading"
    """The way of an upload."""
    COURSE = "Your course and your data"
    """Around it."""


@dataclass(frozen=True, slots=True)
class GuidePage:
    """One page."""

    part: GuidePart
    slug: str
    title: str
    summary: str
    rules_of: str = ""
    """The game whose rules it explains."""
    agents_of: str = ""
    """The game whose house agents it describes. Those of other games are on their rules pages."""
    types_of: str = ""
    """The game whose types in Python it lists, if it has a page for them."""
    folder: str = ""
    """The folder of the game or the interface that it is about, with the template."""

    @property
    def is_generated(self) -> bool:
        """True if the page is made from the game's rules: their docstring, options and messages."""
        return bool(self.rules_of) and not self.folder

    @property
    def template(self) -> str:
        """The name of its template."""
        if self.folder:
            return f"{self.folder}/guide.html"
        if self.types_of:
            return "guide/game_agents.html"
        return "guide/any_game.html" if self.is_generated else f"guide/{self.slug}.html"


def _interface_pages() -> Iterator[GuidePage]:
    """Yield a page for each folder: interfaces that share one are described together."""
    folders = {interface.folder.name: interface for interface in INTERFACES.values()}
    for folder, interface in folders.items():
        guide = guide_of(interface)
        if guide.title:
            slug = folder.replace("_", "-")
            yield GuidePage(GuidePart.WRITTEN_IN, slug, guide.title, guide.summary, folder=folder)


def _slug(game: str) -> str:
    return "rules" if game == DEFAULT_GAME else game.replace("_", "-").replace(":", "-")


def _rules_pages() -> Iterator[GuidePage]:
    """Yield a page for each game: ``guide.html`` of its folder, or one made from its rules."""
    for name, game in GAMES.items():
        folder = folder_of(game)
        has_page = (folder / "guide.html").is_file()
        yield GuidePage(
            GuidePart.BEGIN,
            _slug(name),
            f"Rules of {game.title}",
            "The game, its variants, and every option."
            if has_page
            else "The game, its options, and the messages that an agent receives.",
            rules_of=name,
            folder=folder.name if has_page else "",
        )


def _agents_pages() -> Iterator[GuidePage]:
    """Yield a page for each game with its own types, but for the default game."""
    for name in seat.GAMES:
        if name in GAMES and name != DEFAULT_GAME:
            yield GuidePage(
                GuidePart.WRITTEN_IN,
                f"{_slug(name)}-agents",
                f"Agents for {GAMES[name].title}",
                "A complete Python agent, its types, and the messages of the wire protocol.",
                types_of=name,
            )


PAGES: Final = (
    GuidePage(
        GuidePart.BEGIN, "start", "Getting started", "From an empty folder to a first score."
    ),
    *_rules_pages(),
    *_interface_pages(),
    GuidePage(
        GuidePart.WRITTEN_IN,
        "protocol",
        "Wire protocol",
        "The messages over stdin and stdout, line by line.",
    ),
    *_agents_pages(),
    GuidePage(
        GuidePart.PLAYED,
        "limits",
        "Limits and the clock",
        "Time, memory and output: how much you have, and how it is measured.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "verdicts",
        "Verdicts and faults",
        "Every way a game can end, and what to do.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "replays",
        "Watching games",
        "The viewer: turns, keys, links, two games side by side, and a page to save.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "play",
        "Playing with agents",
        "Take a seat yourself, in the browser or in a terminal.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "grades",
        "How grades are computed",
        "Deals, intervals, points, and how to check them.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "house-agents",
        "House agents",
        "Firebox's own players of Hanabi: what they do, and their scores by rules variant.",
        agents_of="hanabi",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "tournaments",
        "Tournaments",
        "Who plays with whom, which games count, what ranks mean, and the effect of faults.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "ladders",
        "Ladders",
        "Ratings that change with every game: who plays whom, what ratings mean, how to leave.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "command",
        "Command line",
        "Play, evaluate and replay on your own machine.",
    ),
    GuidePage(
        GuidePart.PLAYED,
        "submit",
        "Submitting from a terminal",
        "Access tokens, the command that submits, and the API.",
    ),
    GuidePage(
        GuidePart.COURSE,
        "dates",
        "Dates and lateness",
        "Due dates, late days, penalties, extensions, and which upload counts.",
    ),
    GuidePage(
        GuidePart.COURSE,
        "instructors",
        "For instructors",
        "Set up a course, run the graded evaluation.",
    ),
    GuidePage(
        GuidePart.COURSE,
        "privacy",
        "Privacy",
        "What is stored, who sees it, and how to get a copy.",
    ),
)


_BY_SLUG: Final = {entry.slug: entry for entry in PAGES}


def page(slug: str) -> GuidePage | None:
    """The page with this slug."""
    return _BY_SLUG.get(slug)


def rules_page(game: str) -> str:
    """The slug of the page on the rules of a game; the first page for a game that is missing."""
    return next((entry.slug for entry in PAGES if entry.rules_of == game), PAGES[0].slug)


def house_agents_address(game: str) -> str:
    """Return the address of the text on a game's house agents."""
    own = next((entry.slug for entry in PAGES if entry.agents_of == game), "")
    address = reverse("guide:page", args=[own or rules_page(game)])
    return address if own else f"{address}#opponents"


def parts() -> list[tuple[GuidePart, list[GuidePage]]]:
    """The pages by their parts, in order."""
    return [(part, [entry for entry in PAGES if entry.part is part]) for part in GuidePart]


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option of the rules and its value in every variant."""

    name: str
    meaning: str
    values: tuple[tuple[str, str], ...]
    """Variants with the values that they set."""


def variant_titles(game: str) -> dict[str, str]:
    """A game's variants by name, with their names for people."""
    return {name: GAMES[game].variant_title(name) for name in GAMES[game].variants()}


def option_rows(game: str) -> tuple[OptionRow, ...]:
    """Every option of a game but the variant itself, as each named variant sets it."""
    rules = GAMES[game]
    options = {name: rules.from_options({"variant": name}).options for name in variant_titles(game)}
    meanings = members(rules.options_type)
    return tuple(
        OptionRow(
            name,
            meanings.get(name, ""),
            tuple((variant, shown(chosen[name])) for variant, chosen in options.items()),
        )
        for name in (field.name for field in fields(rules.options_type))
        if name != "variant"
    )


def shown(value: Any) -> str:
    """An option's value as a reader writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit: its name in the options, its value with unit, what happens beyond it."""

    name: str
    value: str
    meaning: str
    fault: FaultKind | None


_LIMITS: Final[Mapping[str, tuple[str, str, FaultKind | None]]] = {
    "turn_seconds": (
        "s of charged time",
        "For one turn: from the moment you are asked to the end of your reply.",
        FaultKind.TIMEOUT,
    ),
    "turn_wall_seconds": (
        "s on the wall clock",
        "For one turn, if your program sleeps or waits instead of computing.",
        FaultKind.IDLE,
    ),
    "start_seconds": (
        "s of charged time",
        "For loading your program, once a game, before the first turn. In Python ``start()`` too.",
        FaultKind.TIMEOUT,
    ),
    "memory_mib": (
        "MiB",
        "For your whole process. In Python the interpreter is included.",
        FaultKind.MEMORY,
    ),
    "reply_bytes": ("bytes", "For one reply line.", FaultKind.OUTPUT),
    "stdout_bytes": (
        "bytes",
        "For all that is written to the protocol in one game, replies included.",
        FaultKind.OUTPUT,
    ),
    "stderr_bytes": (
        "bytes",
        "Kept of what you print in one game, half from each end; after many faults, the end only.",
        None,
    ),
}
"""Unit, meaning, and the fault of going beyond; every field of AgentLimits must be here."""


def limit_rows(limits: AgentLimits) -> tuple[LimitRow, ...]:
    """Every limit of an agent with its value."""
    return tuple(
        LimitRow(field.name, f"{getattr(limits, field.name):,} {unit}", meaning, fault)
        for field in fields(AgentLimits)
        for unit, meaning, fault in [_LIMITS[field.name]]
    )


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A kind of fault, its meaning and the usual remedy."""

    kind: FaultKind
    meaning: str
    remedy: str


_REMEDIES: Final = {
    FaultKind.TIMEOUT: "Look at the charged time per turn on the submission's page. Search less, "
    "or prepare before the first turn: in Python, in start().",
    FaultKind.IDLE: "Do not sleep, wait for input or take locks: when asked, compute and answer.",
    FaultKind.CRASH: "Read what the program printed last on the submission's page: a traceback, "
    "the name of an exception or of a signal, often with the line. Then run the command beside it: "
    "it plays the same game on your machine.",
    FaultKind.MEMORY: "Do not keep every state you have seen; bound your caches.",
    FaultKind.OUTPUT: "Answer each turn with one short line. What you print to standard error "
    "causes no fault: it is only cut.",
    FaultKind.MALFORMED: "If you speak the protocol yourself: reply with one JSON object a line "
    "and repeat the number of the turn. If you don't, return an action: in Python, from act().",
    FaultKind.ILLEGAL: "Choose among what the rules allow now: in Python, from "
    "observation.legal_actions.",
    FaultKind.FORBIDDEN: "One process, one thread, no network and no files but your own. Libraries "
    "that start threads for you count too.",
}


@dataclass(frozen=True, slots=True)
class ExitRow:
    """An exit status that interfaces give a program, and the fault it is taken for."""

    status: int
    meaning: str
    fault: FaultKind | None


_EXIT_FAULTS: Final[Mapping[str, FaultKind | None]] = {
    "EXIT_OK": None,
    "EXIT_CRASH": FaultKind.CRASH,
    "EXIT_MEMORY": FaultKind.MEMORY,
    "EXIT_LOAD": FaultKind.CRASH,
    "EXIT_SYSTEM_EXIT": FaultKind.CRASH,
    "EXIT_INTERRUPTED": FaultKind.TIMEOUT,
}


def exit_rows() -> tuple[ExitRow, ...]:
    """Every exit status of an agent's process that has a meaning, from the adapter itself."""
    return tuple(
        ExitRow(getattr(adapter, name), text, _EXIT_FAULTS[name])
        for name, text in members(adapter).items()
        if name.startswith("EXIT_")
    )


def verdict_rows() -> tuple[VerdictRow, ...]:
    """Every kind of fault, from the grader's own list."""
    meanings = members(FaultKind)
    return tuple(VerdictRow(kind, meanings[kind.name], _REMEDIES[kind]) for kind in FaultKind)

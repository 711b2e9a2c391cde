"""Facts from the code for each page of the guide, so that it cannot say anything else."""

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import cache, partial
from importlib import resources
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

from grader.core import deals
from grader.core.games import DEFAULT_GAME, GAMES, guide_text
from grader.core.prints import MAX_CHARACTERS
from grader.core.records import AgentLimits
from grader.core.wire import MAX_WHY_CHARACTERS
from grader.core.words import either
from grader.house import catalogue, cs221, family
from grader.house.catalogue import AGENTS, fitting, title_of
from grader.house.measured import Rung, ladder
from grader.interfaces import BUILD_OUTPUT_BYTES, DEFAULT_INTERFACE, INTERFACES
from grader.interfaces.guide import IN_PYTHON, guide_of
from grader.interfaces.starter_kit import EXAMPLE, starter_files
from grader.results.grading_scheme import GradingScheme
from grader.results.prints import FIRST_GAMES, LOWEST_GAMES
from grader.uploads.zip_reader import WEIGHTS
from webapp.base.wheel import built
from webapp.contests.playing.services.ending import IDLE_AFTER, KEPT
from webapp.contests.playing.services.starting import MAX_OPEN_GAMES
from webapp.grading.evaluations.models import Status, Verdict
from webapp.grading.evaluations.services.drafts import MAX_DRAFTS
from webapp.grading.evaluations.services.requests import SMOKE_CONSECUTIVE_FAULTS
from webapp.grading.evaluations.services.tries import TRIES_PER_DAY
from webapp.grading.submissions.models import SubmissionStatus
from webapp.grading.submissions.services import upload_limits
from webapp.pages.guide.api import api_tables
from webapp.pages.guide.docstrings import members
from webapp.pages.guide.interfaces import (
    COURSES,
    LINES,
    PROGRAMS,
    build_rows,
    interface_context,
    line_games,
    page_of,
    program_of,
)
from webapp.pages.guide.pages import (
    EXAMPLES,
    PAGES,
    exit_rows,
    limit_rows,
    option_rows,
    rules_page,
    variant_titles,
    verdict_rows,
)
from webapp.pages.guide.spoken import spoken
from webapp.people.accounts import tokens
from webapp.people.accounts.rate_limits import RATE_LIMITS
from webapp.teaching.courses.models import Assignment


@cache
def strength(game: str) -> dict[str, Any]:
    """Return how house agents do against each other, by number of players, if measured."""
    own = family(game)
    path = resources.files(own.package) / "measured.json" if own else None
    if path is None or not GAMES[game].competitive or not path.is_file():
        return {}
    report = json.loads(path.read_text(encoding="utf-8"))
    fewest = min(cell["games"] for grid in report["grids"] for cell in grid["cells"])
    grids = [_grid(game, grid) for grid in report["grids"]]
    return {**report, "grids": grids, "fewest_games": fewest}


def _grid(game: str, grid: dict[str, Any]) -> dict[str, Any]:
    names = list(dict.fromkeys(cell["agent"] for cell in grid["cells"]))
    by_pair = {(cell["agent"], cell["others"]): _in_percent(cell) for cell in grid["cells"]}
    titles = {name: title_of(f"{game}/{name}") for name in names}
    return {
        "players": grid["players"],
        "even_won": 100 / grid["players"],
        "names": list(titles.values()),
        "rows": [
            (titles[agent], [by_pair.get((agent, others)) for others in names]) for agent in names
        ],
    }


def _in_percent(cell: dict[str, Any]) -> dict[str, Any]:
    shares = {key: 100 * cell[key] for key in ("won", "won_half_width")}
    return {**cell, **shares}


@dataclass(frozen=True, slots=True)
class VariantTable:
    """Results of house agents by the rules of one variant."""

    variant: str
    games: int
    """Games of each figure."""
    players: tuple[int, ...]
    rows: tuple[tuple[str, tuple[Rung, ...]], ...]
    """By name, in the order of ``players``."""


@cache
def house_agents() -> dict[str, Any]:
    """The agents, and a table for each variant."""
    agents, figures = catalogue.measured(DEFAULT_GAME), ladder(DEFAULT_GAME)
    assert figures is not None  # noqa: S101 - agents of the default game are measured
    variants = dict.fromkeys(rung.variant for rung in figures.rungs)
    return {
        "agents": {name: AGENTS[name] for name in agents},
        "tables": [_table(variant, figures.of(variant)) for variant in variants],
    }


def _table(variant: str, rungs: Sequence[Rung]) -> VariantTable:
    names = dict.fromkeys(rung.agent for rung in rungs)
    rows = tuple((name, tuple(rung for rung in rungs if rung.agent == name)) for name in names)
    return VariantTable(
        variant=variant,
        games=min(rung.games.n for rung in rungs),
        players=tuple(dict.fromkeys(rung.players for rung in rungs)),
        rows=rows,
    )


DEFAULT_SCHEME: Final = GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1))


def context_of(slug: str) -> dict[str, Any]:
    """The variables of one page's template."""
    return _TABLES.get(slug, dict)()


def _rules(game: str) -> dict[str, Any]:
    rules = GAMES[game]
    agents = fitting(rules.from_options({"players": rules.default_players}))
    return {
        "variants": variant_titles(game),
        "options": option_rows(game),
        "endings": {str(word): text for word, text in rules.endings.items()},
        "opponents": agents,
        "ladder": strength(game),
    }


def _generated(game: str) -> dict[str, Any]:
    messages = json.loads(starter_files(game, library=False)[EXAMPLE])
    known = _rules(game)
    return {
        **known,
        "weakest": next(iter(known["opponents"])),
        "guide": guide_text(GAMES[game]),
        "competitive": GAMES[game].competitive,
        "examples": [(kind, json.dumps(each, indent=1)) for kind, each in messages.items()],
    }


def _protocol() -> dict[str, Any]:
    rows = [(name, guide_of(INTERFACES[name])) for name in PROGRAMS]
    programs = [
        {**program_of(name, DEFAULT_GAME), "language": INTERFACES[name].upload.language}
        for name in PROGRAMS
    ]
    facts: dict[str, Any] = {
        "rows": rows,
        "programs": programs,
        "reply_bytes": AgentLimits().reply_bytes,
    }
    lines = (EXAMPLES / f"{DEFAULT_GAME}.transcript").read_text(encoding="utf-8").splitlines()
    return {
        **facts,
        "why_characters": MAX_WHY_CHARACTERS,
        "deal": lines[0].removeprefix("# deal "),
        "transcript": lines[1:],
    }


def _game_agents(game: str) -> dict[str, Any]:
    files = starter_files(game, library=False)
    entry = INTERFACES[DEFAULT_INTERFACE].upload.stored_as
    return {
        "game": GAMES[game].from_options({}),
        "rules_page": rules_page(game),
        "entry": entry,
        "program": files[entry].decode().rstrip(),
        "api": api_tables(game),
        "programs": PROGRAMS,
        **spoken(game),
    }


def _limits() -> dict[str, Any]:
    limits = AgentLimits()
    return {
        "limits": limit_rows(limits),
        "builds": build_rows(limits),
        "build_output_bytes": BUILD_OUTPUT_BYTES,
        "upload": upload_limits(),
        "weights": ", ".join(WEIGHTS),
    }


def _verdicts() -> dict[str, Any]:
    return {
        "faults": verdict_rows(),
        "exits": exit_rows(),
        "faults_that_end_a_smoke_test": SMOKE_CONSECUTIVE_FAULTS,
        "faults_that_end": _usual_faults(),
        "submission_statuses": _members(SubmissionStatus),
        "statuses": _members(Status),
        "outcomes": [row for row in _members(Verdict) if row["value"]],
    }


def _members(kind: type[Enum]) -> list[dict[str, str]]:
    meanings = members(kind)
    return [{"value": str(member.value), "meaning": meanings[member.name]} for member in kind]


def _grades() -> dict[str, Any]:
    means = ("9.99", "14.99", "15.00", "15.99", "16.00", "20.50")
    points = [(mean, DEFAULT_SCHEME.points(Decimal(mean))) for mean in means]
    return {
        "deals": _derivation(),
        "scheme": DEFAULT_SCHEME.describe(),
        "scheme_rows": points,
        "faults_that_end": _usual_faults(),
    }


def _wheel() -> dict[str, str]:
    """The address from which students install Firebox; empty if the wheel was not built."""
    wheel = built()
    address = settings.SITE_URL + reverse("wheel", args=[wheel.name]) if wheel else ""
    return {"wheel": address}


def _usual_faults() -> int:
    """The default number of consecutive faults after which an evaluation stops."""
    return int(Assignment._meta.get_field("max_consecutive_faults").get_default())


def _derivation() -> dict[str, Any]:
    """The numbered steps of the deals module's docstring, and the paragraph after them."""
    text = inspect.getdoc(deals) or ""
    steps = [" ".join(step.split()) for step in _STEP.findall(text)]
    after = " ".join(text.rpartition("\n\n")[2].split())
    return {"steps": steps, "after": after}


_STEP: Final = re.compile(r"^\d\. (.+?)(?=^\d\. |\n\n)", re.MULTILINE | re.DOTALL)


def _playing() -> dict[str, Any]:
    return {
        "max_open_games": MAX_OPEN_GAMES,
        "visitor_games": RATE_LIMITS["playing:visitor_new"].max_attempts,
        "idle_minutes": int(IDLE_AFTER.total_seconds() // 60),
        "kept_days": KEPT.days,
    }


_COMPETITIVE: Final = {name for name, game in GAMES.items() if game.competitive}
_TABLES: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "start": lambda: {
        "tries": TRIES_PER_DAY,
        "drafts": MAX_DRAFTS,
        "courses": [entry for entry in PAGES if entry.slug in COURSES],
        "games": either(game.title for game in GAMES.values()),
        **_wheel(),
    },
    "instructors": _wheel,
    **{
        page.slug: partial(_generated if page.is_generated else _rules, page.rules_of)
        for page in PAGES
        if page.rules_of
    },
    **{page.slug: partial(_game_agents, page.types_of) for page in PAGES if page.types_of},
    **{name: partial(interface_context, name) for name in COURSES},
    page_of(LINES[0]): lambda: {
        "games": line_games(),
        "interfaces": [(name, INTERFACES[name].title) for name in LINES],
    },
    DEFAULT_INTERFACE: lambda: {
        "api": api_tables(DEFAULT_GAME),
        "consequences": tuple(IN_PYTHON.values()),
    },
    "protocol": _protocol,
    "limits": _limits,
    "verdicts": _verdicts,
    "grades": _grades,
    "command": lambda: {
        "course": COURSES[0],
        "paper_page": cs221.INTERFACE,
        "rivals": [name for name, agent in AGENTS.items() if agent.game in _COMPETITIVE][:1],
        **_wheel(),
    },
    "submit": lambda: {
        "site_url": settings.SITE_URL,
        "token_days": tokens.LIFETIME.days,
        "max_tokens": tokens.MAX_TOKENS,
    },
    "replays": lambda: {
        "first_prints": FIRST_GAMES,
        "lowest_prints": LOWEST_GAMES,
        "prints_characters": MAX_CHARACTERS,
    },
    "play": _playing,
    "privacy": lambda: {"kept_days": KEPT.days},
    "house-agents": lambda: {"house": house_agents(), "paper_page": cs221.INTERFACE},
}

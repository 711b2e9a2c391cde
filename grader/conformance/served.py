"""The rules of one folder, served over two pipes: what runs in the referee's seat of a sandbox.

It runs beside the uploaded rules and is as untrusted as they are: they may do to it whatever they
like. A line asks for one thing, ``{"do": "observe", "with": [0]}``, and a line answers it: with a
``value``, with the reason why an action was ``refused``, or with the ``error`` of the rules.

Standard library only, beside the packages ``grader.core`` and ``grader.conformance``: the sandbox
has nothing else.
"""

import io
import json
import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from grader.conformance import CHECKS, Check, Level, Trial, every_game
from grader.conformance.alone import fingerprint
from grader.conformance.trial import place_of
from grader.core.deals import deal_seed, practice_secret
from grader.core.errors import GamePackageError, IllegalAction
from grader.core.games import ENTRY_POINTS, GAMES, Game, State, guide_text, player_counts

MOST_BYTES: Final = 60 << 10
"""Bytes of an answer; the sandbox ends a process that writes longer lines than 64 KiB."""
_OF_STATE: Final = frozenset({"legal_for", "observe", "scores", "text"})
_OF_GAME: Final = frozenset({"notate", "parse"})
_LEVELS: Final = (Level.PLAYS, Level.GRADED)


def play(folder: str, artefact: str, stdin_fd: int, stdout_fd: int) -> NoReturn:  # noqa: ARG001
    """Answer until the input ends. What the rules print goes to standard error."""
    stdin_fd, stdout_fd = _clear_of_standard(stdin_fd), _clear_of_standard(stdout_fd)
    os.dup2(2, 1)
    sys.stdout, sys.stdin = sys.stderr, io.StringIO()
    served = Served(Path(folder))
    with os.fdopen(stdin_fd, "rb") as lines:
        for line in lines:
            _write(stdout_fd, served.answer(line))
    os._exit(0)


def build(folder: str, artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """Do nothing: rules are not compiled."""


def _clear_of_standard(descriptor: int) -> int:
    while descriptor < 3:
        descriptor = os.dup(descriptor)
    return descriptor


def _write(descriptor: int, line: bytes) -> None:
    while line:
        line = line[os.write(descriptor, line) :]


class Served:
    """A folder's game, one play of it, and the checks that it is tried by."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kind: type[Game]
        self._game: Game
        self._state: State
        self._trials: list[Trial] = []
        self._acts: dict[str, Callable[..., Any]] = {
            "load": self._load,
            "facts": lambda deals: facts(self._kind, with_deals=deals),
            "rules": self._choose,
            "deal": self._deal,
            "apply": self._apply,
            "events": lambda seat, told: list(self._state.events(seat)[told:]),
            "rows": lambda seat: [asdict(row) for row in self._state.rows(seat)],
            "describe": lambda at: self._state.describe(self._state.legal_actions()[at]),
            "trials": self._try,
            "check": self._check,
            "fingerprint": lambda at: fingerprint(self._trials[at]),
        }

    def answer(self, line: bytes) -> bytes:
        """Return the line that answers another one."""
        asked = json.loads(line)
        try:
            answer = {"value": self._act(asked["do"])(*asked["with"])}
            text = json.dumps(answer, separators=(",", ":"), allow_nan=False)
        except IllegalAction as refusal:
            text = json.dumps({"refused": str(refusal)[:200]})
        except BaseException as error:  # noqa: BLE001 - rules may raise anything
            text = json.dumps({"error": self._told(error)})
        if len(text) > MOST_BYTES:
            reason = f"an answer of {len(text):,} bytes; at most {MOST_BYTES:,} are read"
            text = json.dumps({"error": reason})
        return text.encode() + b"\n"

    def _act(self, name: str) -> Callable[..., Any]:
        if name in _OF_STATE:
            return getattr(self._state, name)  # type: ignore[no-any-return]
        if name in _OF_GAME:
            return getattr(self._game, name)  # type: ignore[no-any-return]
        return self._acts[name]

    def _told(self, error: BaseException) -> str:
        if isinstance(error, GamePackageError):
            return str(error)[:500]
        return f"{type(error).__name__}: {str(error)[:300]} ({place_of(error, self._folder)})"

    def _load(self) -> str:
        name, entry = _entry(self._folder)
        sys.path[:0] = [str(self._folder), str(self._folder / "src")]
        module, _, attribute = entry.partition(":")
        kind = getattr(import_module(module), attribute, None)
        if not (isinstance(kind, type) and issubclass(kind, Game)):
            raise GamePackageError(f"{entry} is no subclass of `Game`.")
        if kind.name != name:
            raise GamePackageError(f"`pyproject.toml` names {name}, and its class {kind.name}.")
        self._kind = kind
        GAMES[name] = kind
        return name

    def _choose(self, options: Mapping[str, Any]) -> None:
        self._game = self._kind.from_options(options)

    def _deal(self, seed: str) -> Mapping[str, Any]:
        self._state = self._game.deal(bytes.fromhex(seed))
        return self._look()

    def _apply(self, at: int) -> Mapping[str, Any]:
        self._state.apply(self._state.legal_actions()[at])
        return self._look()

    def _look(self) -> Mapping[str, Any]:
        state = self._state
        return {
            "turn": state.turn,
            "acting": list(state.acting()),
            "pending": state.pending,
            "continues": state.continues,
            "ending": state.ending,
        }

    def _try(self) -> Mapping[str, Any]:
        self._trials = [Trial(game) for _, game in every_game([self._kind.name])]
        return {"trials": len(self._trials), "checks": [check.name for check in _checks()]}

    def _check(self, trial: int, at: int) -> list[Mapping[str, str]]:
        return [
            {"problem": found.problem, "repair": found.repair, "rules": found.rules}
            for found in _checks()[at].findings(self._trials[trial])
        ]


def _checks() -> list[Check]:
    return [check for check in CHECKS if check.level in _LEVELS]


def _entry(folder: Path) -> tuple[str, str]:
    try:
        declared = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        games = dict(declared["project"]["entry-points"][ENTRY_POINTS])
    except FileNotFoundError as error:
        raise GamePackageError("There is no `pyproject.toml` at the top of the folder.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise GamePackageError(
            f'`pyproject.toml` names no game: it needs [project.entry-points."{ENTRY_POINTS}"]'
            ' with NAME = "MODULE:CLASS".'
        ) from error
    if len(games) != 1:
        raise GamePackageError(f"`pyproject.toml` names {len(games)} games; upload one at a time.")
    [(name, entry)] = games.items()
    return str(name), str(entry)


def facts(kind: type[Game], *, with_deals: bool) -> Mapping[str, Any]:
    """Return what pages and graders know of a game: ``UploadedFacts`` as JSON.

    ``with_deals`` also counts deals, which may take long, and plays to an example.
    """
    return {
        "own_name": kind.name,
        "title": kind.title,
        "rules_version": kind.rules_version,
        "lower_is_better": kind.lower_is_better,
        "competitive": kind.competitive,
        "result": kind.result.value,
        "unit": str(kind.unit),
        "hides_nothing": kind.hides_nothing,
        "chance": kind.chance.value,
        "lost_score": kind.lost_score,
        "lost_reason": kind.lost_reason,
        "default_players": kind.default_players,
        "endings": {str(word): text for word, text in kind.endings.items()},
        "variant_titles": {name: kind.variant_title(name) for name in kind.variants()},
        "guide": guide_text(kind)[:20_000],
        "view": _view(kind),
        "example": _example(kind) if with_deals else None,
        "rules": [
            _rules(kind, variant, players, with_deals=with_deals)
            for variant in kind.variants()
            for players in player_counts(kind, variant)
        ],
    }


def _rules(kind: type[Game], variant: str, players: int, *, with_deals: bool) -> Mapping[str, Any]:
    game = kind.from_options({"variant": variant, "players": players})
    return {
        "variant": variant,
        "players": players,
        "options": dict(game.options),
        "score_range": list(game.score_range),
        "forfeits": [list(game.forfeit(seat)) for seat in range(game.seats)],
        "distinct_deals": game.distinct_deals if with_deals else None,
    }


def _example(kind: type[Game]) -> Mapping[str, Any]:
    game = kind.from_options({"players": kind.default_players})
    state = game.deal(deal_seed(practice_secret(b""), 0))
    seat = state.seat_to_act or 0
    return {
        "seat": seat,
        "events": list(state.events(seat)),
        "observation": state.observe(seat),
        "legal": list(state.legal_for(seat)),
    }


def _view(kind: type[Game]) -> Mapping[str, Any] | None:
    view = kind.view
    if view is None:
        return None
    pieces = [
        {
            "value": value,
            "letter": piece.letter,
            "words": piece.words,
            "colour": piece.colour.value,
            "is_disc": piece.is_disc,
            "seat": piece.seat,
        }
        for value, piece in view.pieces.items()
    ]
    return {"field": view.field, "pieces": pieces, "cell": list(view.cell)}

"""Write the golden playthroughs again: ``python tests/playthroughs/regenerate.py``.

A playthrough is one whole game as text: what every message to an agent would say, turn by turn.
Lines that start with ``#`` are words for people and may change freely. Any other change means that
the same deal and actions give another record: the game's ``rules_version`` must have been raised,
or the file is not written.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

DIRECTORY = Path(__file__).parent
sys.path.insert(0, str(DIRECTORY.parents[1]))

from grader.core.deals import deal_seed  # noqa: E402 - the path must be there first
from grader.core.games import GAMES, Game, State  # noqa: E402
from tests.grader.core.games.policies import Policy, at_random, cheating  # noqa: E402

SECRET = b"golden playthroughs"
POLICIES: dict[str, Policy] = {"hanabi": cheating(0.15)}
"""Who plays a game's playthroughs, where random play would end too soon to show much."""
OPTIONS: dict[str, dict[str, int]] = {"hearts": {"hands": 2}}
"""What keeps a game's playthroughs short enough to be read."""


def playthroughs() -> Iterator[tuple[str, str]]:
    """For every game and variant, the name of its file and the text in it."""
    for name, kind in GAMES.items():
        for index, variant in enumerate(kind.variants()):
            lines = _lines(kind.from_options({"variant": variant, **OPTIONS.get(name, {})}), index)
            yield f"{name}-{variant}.txt", "\n".join([*lines, ""])


def rules_only(text: str) -> list[str]:
    """A playthrough without its words for people."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def _lines(game: Game, index: int) -> Iterator[str]:
    seed = deal_seed(SECRET, index)
    rng = Random(index)  # noqa: S311 - repeatable test data
    policy = POLICIES.get(game.name, at_random)
    state = game.deal(seed)
    yield f"game {game.name} rules_version {game.rules_version} deal_seed {seed.hex()}"
    yield f"options {_json(game.options)}"
    told = [0] * game.seats
    while state.seat_to_act is not None:
        seat = state.seat_to_act
        action = policy(state, rng)
        yield ""
        yield from (f"# {line}" for line in state.text().splitlines())
        yield f"turn {state.turn} seat {seat}"
        yield from _news(state, seat, told)
        yield f"legal {' '.join(game.notate(legal) for legal in state.legal_actions())}"
        yield f"action {game.notate(action)} {_json(action)}"
        yield f"# {state.describe(action)}"
        state.apply(action)
    yield ""
    yield from (f"# {line}" for line in state.text().splitlines())
    yield f"end {state.ending} scores {_json(state.scores())}"
    for seat in range(game.seats):
        yield f"seat {seat}"
        yield from _news(state, seat, told)


def _news(state: State, seat: int, told: list[int]) -> Iterator[str]:
    """A message to ``seat``: the events since the last one, and the observation."""
    events = state.events(seat)
    for event in events[told[seat] :]:
        yield f"event {_json(event)}"
    told[seat] = len(events)
    yield f"observation {_json(state.observe(seat))}"


def _json(value: object) -> str:
    if hasattr(value, "items"):
        value = dict(value.items())
    return json.dumps(value, separators=(",", ":"))


def _version(text: str) -> str:
    return text.split("rules_version ", 1)[1].split(" ", 1)[0]


def main() -> int:
    """Write what changed; 1 if something changed that must not."""
    status = 0
    for name, text in playthroughs():
        path = DIRECTORY / name
        old = path.read_text() if path.exists() else None
        if old and rules_only(old) != rules_only(text) and _version(old) == _version(text):
            print(f"{name}: the rules gave another record; raise rules_version first")
            status = 1
        elif old != text:
            path.write_text(text)
            print(f"{name}: written")
    return status


if __name__ == "__main__":
    sys.exit(main())

"""Agents take over a seat in the middle of a game: they are told what others played there.

The strategy of ``agents`` is the same in every interface, so each agent must answer as the one in
Python does, after moves that are not its own. An adapter that took its agent's answers for what
was played would know another table.
"""

import hashlib
from contextlib import closing
from random import Random
from typing import Final

import pytest

from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import Game, game_from_options
from grader.core.live import SeatReport, SeatRequest
from grader.core.position import play_on
from grader.core.records import AgentLimits, AgentRef
from grader.interfaces.starter_kit import starter_files
from grader.uploads.archive import SourceFile, Sources
from grader.worker.live import LiveSeats
from tests.grader.interfaces.conformance.playing import INTERFACE_OF, archive
from tests.support.slots import confined

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

TURNS: Final = 16
LEFT_OUT: Final = {"play", "swap"}
"""Actions that random players leave out: they would lose the game, or tell cards another way."""


def begun(game: Game, seed: bytes) -> str:
    state, actions = game.deal(seed), list[str]()
    random = Random(seed)  # noqa: S311 - no secret
    while len(actions) < TURNS:
        legal = state.legal_actions()
        action = random.choice([each for each in legal if each["type"] not in LEFT_OUT] or legal)
        actions.append(game.notate(action))
        state.apply(action)
    return " ".join(actions)


def answer(game: Game, interface: str, packed: bytes, *, index: int = 0) -> SeatReport:
    seed = deal_seed(REFERENCE_SECRET, index)
    actions = begun(game, seed)
    position = play_on(game, seed, actions.split())
    assert position.seat is not None
    request = SeatRequest(
        ask="ask",
        table="table",
        game=game.name,
        rules_version=game.rules_version,
        options=dict(game.options),
        deal_seed=seed.hex(),
        actions=actions,
        seat=position.seat,
        agent=AgentRef(interface=interface, sha256=hashlib.sha256(packed).hexdigest()),
        limits=AgentLimits(),
    )
    with closing(LiveSeats(confined(), lambda _: packed)) as seats:
        report = seats.answer(request)
    assert report.action in list(position.legal), report
    return report


@pytest.mark.parametrize(
    ("agent", "variant"),
    [
        ("uwa_java", "uwa"),
        ("gcc_cpp", "gcc"),
        ("ensta_python", "ensta"),
        ("cs221_python", "cs221"),
    ],
)
def test_an_agent_knows_what_was_played_in_its_seat_before_it(agent: str, variant: str) -> None:
    game = game_from_options("hanabi", {"variant": variant, "players": 2})
    theirs = answer(game, INTERFACE_OF[agent], archive(agent))
    expected = answer(game, "python", archive("python"))
    assert theirs.differs_at is not None, "random moves are not the strategy's"
    assert (theirs.action, theirs.differs_at) == (expected.action, expected.differs_at)


@pytest.mark.parametrize(
    ("interface", "game", "variant"),
    [("stdio-python", "hanabi", "standard"), ("fit2102-haskell", "hearts", "fit2102")],
)
def test_a_starter_agent_takes_over(interface: str, game: str, variant: str) -> None:
    files = starter_files(game, interface=interface)
    sources = Sources(tuple(SourceFile(name, data) for name, data in sorted(files.items())))
    rules = game_from_options(game, {"variant": variant})
    assert answer(rules, interface, sources.archive()).fault is None

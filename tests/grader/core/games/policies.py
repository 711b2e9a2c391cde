"""Players for tests: random ones, and one that cheats at Hanabi by looking at its own cards."""

from collections.abc import Callable
from random import Random

from grader.core.games import Game, JsonObject, State

Policy = Callable[[State, Random], JsonObject]


def at_random(state: State, rng: Random) -> JsonObject:
    return rng.choice(state.legal_actions())


def cheating(clumsiness: float) -> Policy:
    """At Hanabi: play what fits, discard what is useless; sometimes act at random instead.

    From 0 (nearly every game is perfect or runs out of cards) to 1 (nearly every game is lost).
    """

    def choose(state: State, rng: Random) -> JsonObject:
        if rng.random() < clumsiness:
            return at_random(state, rng)
        legal = state.legal_actions()
        fitting = [action for action in legal if _is(action, "play") and _gap(state, action) == 1]
        if fitting:
            return fitting[0]
        useless = [action for action in legal if _is(action, "discard") and _gap(state, action) < 1]
        careful = [action for action in legal if not _is(action, "play")]
        return rng.choice(useless or careful or legal)

    return choose


def _is(action: JsonObject, kind: str) -> bool:
    return bool(action["type"] == kind)


def _gap(state: State, action: JsonObject) -> int:
    """The distance of a card from its firework: 1 fits, less is useless."""
    seat = state.seat_to_act
    assert seat is not None
    seen = state.observe((seat + 1) % len(state.scores()))
    card = seen["hands"][seat]["cards"][action["card"]]
    return int(card[1]) - int(seen["fireworks"][card[0]])


def played(game: Game, state: State, policy: Policy, rng: Random) -> list[str]:
    actions = []
    while state.seat_to_act is not None:
        action = policy(state, rng)
        actions.append(game.notate(action))
        state.apply(action)
    return actions

"""State followed by events equals the next observation."""

from collections.abc import Sequence
from typing import Any

import pytest

from firebox import Agent, Context
from firebox.hanabi import Action, Observation
from grader.core.games import Game
from grader.core.games.hanabi.agents._knowledge import BIT, CardTable, allowed
from grader.core.games.hanabi.agents._public import PublicTable
from tests.grader.house.table import all_games, play


class Following(Agent):
    """Does anything legal, swaps included, and compares at every turn."""

    def start(self, context: Context) -> None:
        self.public = PublicTable(context)
        self.random = context.random

    def on_event(self, event: Any) -> None:
        self.public.apply(event)

    def act(self, observation: Observation) -> Action:
        public = self.public
        assert public.tokens == observation.hint_tokens
        assert public.lives == observation.lives
        assert public.deck == observation.deck
        assert public.fireworks == dict(observation.fireworks)
        assert tuple(public.discards) == observation.discards
        table = CardTable(observation.fireworks, observation.discards)
        assert (public.table.playable, public.table.useless) == (table.playable, table.useless)
        for hand in observation.hands:
            holding = public.hands[hand.seat]
            assert holding.faces == [BIT[card] if card else 0 for card in hand.cards]
            assert holding.told == [allowed(known) if known else 0 for known in hand.knowledge]
            assert by_age(hand.ids) == by_age(
                [
                    None if card_id is None else born
                    for born, card_id in zip(holding.born, hand.ids, strict=True)
                ]
            )
        return self.random.choice(observation.legal_actions)


def by_age(numbers: Sequence[int | None]) -> list[int]:
    """The positions that hold a card, the oldest card's first."""
    held = [(number, at) for at, number in enumerate(numbers) if number is not None]
    return [at for _, at in sorted(held)]


@pytest.mark.parametrize(
    "game", list(all_games()), ids=lambda game: f"{game.options['variant']}-{game.seats}"
)
def test_following_events_gives_what_observations_say(game: Game) -> None:
    for index in range(5):
        play(game, [Following] * game.seats, index)

"""The building blocks of the rule-based agents: each suggests an action, or nothing.

An agent is then a list of rules in order of preference, as in Walton-Rivers et al., *Evaluating and
Modelling Hanabi-Playing Agents* (2017, arXiv:1704.07069), where Outer, IGGI and Piers come from.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from firebox import Agent, Context
from firebox.hanabi import Action, Discard, Hand, Hint, Observation, Play, Swap

from ._knowledge import BIT, View, allowed


class Situation(View):
    """An observation together with what follows from it."""

    __slots__ = ("legal", "observation")

    def __init__(self, observation: Observation) -> None:
        super().__init__(observation)
        self.observation = observation
        self.legal = [a for a in observation.legal_actions if not isinstance(a, Swap)]


Rule: TypeAlias = Callable[[Situation], Action | None]


class RuleAgent(Agent):
    """Does what the first rule suggests that has a legal suggestion; else something at random."""

    rules: tuple[Rule, ...]

    def start(self, context: Context) -> None:
        """Keep the generator for random choices."""
        self.random = context.random

    def act(self, observation: Observation) -> Action:
        """Ask the rules in order."""
        situation = Situation(observation)
        for rule in self.rules:
            action = rule(situation)
            if action is not None and action in situation.legal:
                return action
        return self.otherwise(situation)

    def otherwise(self, situation: Situation) -> Action:
        """Return the action when no rule helps: a random discard, else hint, else anything."""
        discards = [action for action in situation.legal if isinstance(action, Discard)]
        hints = [action for action in situation.legal if isinstance(action, Hint)]
        return self.random.choice(discards or hints or situation.legal)


def play_certain(situation: Situation) -> Action | None:
    """Play a card that certainly fits."""
    for at in situation.certain(situation.playable):
        return Play(at)
    return None


def play_likely(probability: float) -> Rule:
    """Play the likeliest card if it fits with at least this probability and a life to spare."""

    def rule(situation: Situation) -> Action | None:
        lives = situation.observation.lives
        if not situation.mine or (lives is not None and lives <= 1):
            return None
        chances = {at: situation.chance(at, situation.playable) for at in situation.mine}
        best = max(chances, key=chances.__getitem__)
        return Play(best) if chances[best] >= probability else None

    return rule


def at_the_end(rule: Rule) -> Rule:
    """The same rule, but only when the deck is empty."""
    return lambda situation: None if situation.observation.deck else rule(situation)


def discard_useless(situation: Situation) -> Action | None:
    """Discard a card that is certainly useless."""
    for at in situation.certain(situation.useless):
        return Discard(at)
    return None


def discard_oldest(situation: Situation) -> Action | None:
    """Discard the card held longest."""
    ids = situation.observation.my_hand.ids
    oldest = min(situation.mine, key=lambda at: ids[at] or 0, default=None)
    return None if oldest is None else Discard(oldest)


def hint_playable(situation: Situation) -> Action | None:
    """Tell another player, the next one first, something new about a card that fits now."""
    for hand in situation.observation.others():
        for hint in _news(hand, situation.playable):
            return hint
    return None


def hint_playable_to_next(situation: Situation) -> Action | None:
    """Tell the next player something new about a card that fits now."""
    for hint in _news(situation.observation.others()[0], situation.playable):
        return hint
    return None


def hint_unknown_to_next(situation: Situation) -> Action | None:
    """Tell the next player something new about any card."""
    for hint in _news(situation.observation.others()[0], ~0):
        return hint
    return None


def _news(hand: Hand, interesting: int) -> Iterator[Hint]:
    for card, knowledge in zip(hand.cards, hand.knowledge, strict=True):
        if card is None or knowledge is None or not BIT[card] & interesting:
            continue
        if allowed(knowledge) & ~interesting == 0:
            continue
        if knowledge.rank is None:
            yield Hint(hand.seat, rank=card.rank)
        if knowledge.color is None:
            yield Hint(hand.seat, color=card.color)

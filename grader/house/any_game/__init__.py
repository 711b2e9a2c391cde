"""The house agent of games that bring none of their own."""

from typing import Final

from grader.house import AgentFamily

__all__ = ["NAMES", "agent", "bundle"]

NAMES: Final = {"random_legal": "any legal action, each as likely as the others"}

_ANY_GAME: Final = AgentFamily(__name__, NAMES, (), {})
agent = _ANY_GAME.agent
bundle = _ANY_GAME.bundle

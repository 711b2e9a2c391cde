"""The module that agents of ENSTA's course IN104 are written against, as Firebox provides it.

The same names, types and attributes as in the course; the cards are dealt, moved and counted by
Firebox's rules, which an agent reads through its ``game`` and cannot change. A submission may bring
its own ``hanabi`` package, or single files of it, which are then used in place of these.
"""

from . import ai, ascii_art, deck  # noqa: F401 - no ``__all__``, as in the course
from .deck import Card, Color, Deck, Game, Hand  # noqa: F401 - as above

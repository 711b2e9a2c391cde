from . import ai, deck
from .deck import Game

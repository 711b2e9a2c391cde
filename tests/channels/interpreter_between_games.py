"""A game changes modules, types and the environment, for its successor.

Between: games
"""

import builtins
import os
import sys

from channel import Channel

import firebox


class InterpreterBetweenGames(Channel):
    between = "games"

    def send(self, bits):
        for place in (builtins, sys, os, firebox):
            place.bits = bits
        os.environ["BITS"] = "".join(map(str, bits))
        os.umask(int(os.environ["BITS"][:9], 2))

    def receive(self, width):
        for place in (builtins, sys, os, firebox):
            if hasattr(place, "bits"):
                return place.bits
        return [int(bit) for bit in os.environ.get("BITS", "")] or [None] * width

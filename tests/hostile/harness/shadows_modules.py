"""Brings its own random, json, os, firebox and sitecustomize, to be imported for the real ones.

Verdict: contained
"""

import sys

from hostile import Hostile, escaped

SHADOWS = ("random", "json", "os", "secrets", "firebox", "firebox.adapter", "firebox.hanabi")


class ShadowsModules(Hostile):
    def attack(self, observation):
        for name in SHADOWS:
            __import__(name)
            if hasattr(sys.modules[name], "SHADOW"):
                escaped(f"{name} is its own")
        if "sitecustomize" in sys.modules:
            escaped("sitecustomize was imported")

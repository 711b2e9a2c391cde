"""Replaces functions that the harness uses: json, time, os, sys.stdout, the adapter's own.

Verdict: contained
"""

import builtins
import json
import sys
import time

import firebox.adapter
import firebox.seat
from hostile import Hostile


class PatchesModules(Hostile):
    def attack(self, observation):
        def nothing(*arguments, **options):
            return None

        json.dumps = json.loads = json.JSONEncoder.encode = nothing
        time.time = time.monotonic = time.perf_counter = lambda: 0.0
        sys.stdout = sys.stderr = sys.stdin = None
        sys.exit = builtins.print = builtins.open = nothing
        firebox.adapter.explain = firebox.adapter._redirect_standard_streams = nothing
        firebox.seat.GAMES = {}

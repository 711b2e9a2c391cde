"""Has itself called before the adapter writes, and writes first.

Verdict: malformed
"""

import os
import sys

from hostile import Hostile, send


class ProfilesTheAdapter(Hostile):
    def attack(self, observation):
        def first(frame, event, argument):
            if event == "c_call" and argument is os.write:
                sys.setprofile(None)
                send(b'{"type":"action","turn":%d,"action":{"type":"nothing"}}\n' % 10_000)

        sys.setprofile(first)

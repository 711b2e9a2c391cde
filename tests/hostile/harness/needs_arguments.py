"""Cannot be created the way every agent is.

Verdict: crash
Armed: always
"""

from hostile import Hostile


class NeedsArguments(Hostile):
    def __init__(self, secret):
        self.secret = secret

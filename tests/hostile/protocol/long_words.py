"""Names a move by three kilobytes of markup, to fill the page that shows it.

Verdict: illegal
"""

from hostile import Hostile, forever, send


class LongWords(Hostile):
    def attack(self, observation):
        word = b"<script>alert(1)</script>" * 120
        send(b'{"type":"action","turn":%d,"action":{"type":"%b"}}\n' % (observation.turn, word))
        forever()

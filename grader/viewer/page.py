"""A recorded game as one file: the viewer, its styles and the game, to open in any browser.

The file loads nothing and runs only the viewer's own scripts: its content security policy names
them by their hashes.
"""

import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

from grader.core.games import game_named
from grader.core.games.outcomes import counts_wins, score_words, winner_words
from grader.core.games.presentation import Elsewhere
from grader.viewer.files import SHARED, scripts, styles

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<div class="head">
<h1>{title}</h1>
<p class="lede">{lede}</p>
<div data-viewer-tools>{link}</div>
</div>
<h2 class="sr-only">Turn by turn</h2>
<div id="viewer" class="viewer" tabindex="-1"></div>
<details id="text" open>
<summary>As text</summary>
<pre tabindex="0" aria-label="The game as text">{text}</pre>
</details>
</main>
<script type="application/json" data-viewer-game>{data}</script>
<script>{script}</script>
</body>
</html>
"""


def standalone(
    data: Mapping[str, Any], *, title: str, text: str, offered: Elsewhere | None = None
) -> str:
    """Return the file: ``data`` is what ``viewed`` returned, ``text`` the game as text.

    ``offered`` is the same game on another site, to which the file has a link.
    """
    script = _joined(path for _, path in scripts(data["game"]))
    style = _joined([SHARED / "alone.css", *(path for _, path in styles(data["game"]))])
    game = game_named(data["game"])
    results = " ".join(score_words(game, score) for score in sorted(set(data["scores"])))
    points = winner_words(data["scores"]) if counts_wins(game) else f"{results} points"
    return _PAGE.format(
        policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'",
        title=escape(title),
        link=_linked(offered),
        lede=escape(f"{points} · {data['ending']}"),
        style=style,
        script=script,
        data=data_json(data),
        text=escape(text),
    )


def _linked(offered: Elsewhere | None) -> str:
    if offered is None or not offered.link:
        return ""
    address, note = escape(offered.link), escape(offered.note)
    words = escape(f"Open on {offered.site}")
    return f'<a class="button" href="{address}" title="{note}" rel="noreferrer">{words}</a>'


def data_json(data: Mapping[str, Any]) -> str:
    """Return JSON that is safe in a script element, even with an agent's output in it."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _joined(paths: Any) -> str:
    return "\n".join(Path(path).read_text(encoding="utf-8") for path in paths)


def _hash(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"

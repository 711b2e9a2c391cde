"""The checks of one game in a process of its own, which ``firebox game check`` starts.

A game that hangs or crashes takes this process with it. It writes a JSON object a line: the check
that begins, what was found, and at last a fingerprint of some plays, which must be the same in
every process.
"""

import faulthandler
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TextIO

FIRST: Final = "import faulthandler, sys; faulthandler.dump_traceback_later(float(sys.argv[1]),"
CODE: Final = f"{FIRST} exit=True); from grader.conformance.alone import main; main()"
"""The program. Its arguments are the seconds that a check may take, the game and the level.
The clock runs before the game is imported, and its end says where the game was."""


def main() -> None:
    """Check a game; its own output goes to standard error."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    seconds, name, level = float(sys.argv[1]), sys.argv[2], sys.argv[3]

    def begin(check: str) -> None:
        faulthandler.dump_traceback_later(seconds, exit=True)
        _say(out, {"begins": check})

    begin("it_can_be_imported")
    check(name, level, begin, lambda value: _say(out, value))
    faulthandler.cancel_dump_traceback_later()


def check(
    name: str, level: str, begin: Callable[[str], None], say: Callable[[Mapping[str, Any]], None]
) -> None:
    """Run the checks of a game up to a level; ``level`` may be empty for the fingerprint alone."""
    from grader.conformance import CHECKS, Check, Finding, Level, Trial, every_game, findings
    from grader.conformance.published import AGENT_CHECKS
    from grader.conformance.trial import raised
    from grader.core.games import GAMES
    from grader.house.catalogue import fitting

    levels = list(Level)[: list(Level).index(Level(level)) + 1] if level else []
    try:
        games = list(every_game([name]))
    except Exception as error:  # noqa: BLE001 - rules may raise anything
        problem, repair = raised(error, GAMES[name])
        finding = Finding(
            level=Level.PLAYS, check="it_can_be_made", rules="", problem=problem, repair=repair
        )
        say({"finding": asdict(finding)})
        return
    for _, game in games:
        trial = Trial(game)

        def announced(each: Check) -> Check:
            begin(each.name)
            return each

        chosen = [each for each in (*CHECKS, *AGENT_CHECKS) if each.level in levels]
        sound = True
        for finding in findings(trial, map(announced, chosen)):
            sound = False
            say({"finding": asdict(finding)})
        if not sound:  # more plays would come upon the same fault, outside of any check
            continue
        begin("the_same_plays_in_every_process")
        say({"fingerprint": fingerprint(trial)})
        if game.competitive and (agents := list(fitting(game))):
            say({"opponent": f"house:{agents[0]}"})
    say({"kits": _kits(GAMES[name])})


def _kits(game: Any) -> list[str]:
    from grader.interfaces import INTERFACES
    from grader.interfaces.starter_kit import has_program

    kits = [each for each in INTERFACES.values() if each.plays(game)]
    return [each.name for each in kits if has_program(game, each)]


def fingerprint(trial: Any) -> str:
    """Return a digest of some random plays of a ``Trial``: the same in every process."""
    digest = hashlib.sha256()
    for seed, actions in trial.plays(5):
        digest.update(json.dumps(actions).encode())
        digest.update(trial.everything(trial.after(seed, actions)).encode())
    return digest.hexdigest()


def _say(out: TextIO, value: Mapping[str, Any]) -> None:
    out.write(json.dumps(value) + "\n")

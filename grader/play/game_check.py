"""``firebox game check`` for an uploaded folder: the same checks, in the referee's seat.

The levels *plays* and *graded*. Then the game is played as it will be: through the sandbox, to the
end, twice, and drawn.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

import msgspec

from grader.core.chance import Chance
from grader.core.deals import deal_seed
from grader.core.errors import GameFault, RulesError
from grader.core.folder_check import MOST_FINDINGS, GameProblem
from grader.core.games.uploaded import UploadedFacts, facts_digest, name_of, read_facts
from grader.core.referee import END, START, Reply, Turn
from grader.core.words import printable
from grader.play.players import play_game
from grader.play.refereed import refereed
from grader.play.retries import Retries
from grader.play.rules_seat import LIMITS, RulesProcess, RulesSeat, rules_seat
from grader.play.slot import Slot

CHECK_LIMITS: Final = replace(LIMITS, turn_seconds=60.0, turn_wall_seconds=180.0)
"""For one check, which plays many games."""
CHECK_SECONDS: Final = 300.0
"""Charged time of all checks together."""
_SECRET: Final = b"check of an uploaded game"
_PLAYS: Final = 3
_FAILED: Final = "Run `firebox game check` on the folder at home, and mend what it names."


def check_folder(folder: bytes, slot: Slot) -> tuple[str, list[GameProblem]]:
    """Check a stored folder; return the game's facts as JSON, and what does not hold.

    Facts are empty if there are none. Raises SystemFault and SandboxError for failures of ours.
    """
    with rules_seat(folder, slot, "the game", CHECK_LIMITS, play_seconds=CHECK_SECONDS) as seat:
        return Retries(slot, seat.close).run(lambda: _checked(folder, seat, slot))


def _checked(folder: bytes, seat: RulesSeat, slot: Slot) -> tuple[str, list[GameProblem]]:
    text, problems = "", []
    try:
        with seat.process() as process:
            text = msgspec.json.encode(process.ask("facts", True)).decode()  # noqa: FBT003 - counts deals
            facts = read_facts(text)
            for problem in _problems(process):
                if problem not in problems:
                    problems.append(problem)
            prints = [] if problems else _fingerprints(process)
        if not problems:
            _require_same(seat, prints)
            _play(folder, facts, slot)
    except (GameFault, RulesError) as fault:
        told = str(fault).removeprefix("the game: ")
        problems.append(
            GameProblem(problem=printable(f"{told[:1].upper()}{told[1:]}.")[:1000], repair=_FAILED)
        )
    return text, problems[:MOST_FINDINGS]


def _problems(process: RulesProcess) -> Iterator[GameProblem]:
    """Yield the findings, which come from beside the rules: they are only shown."""
    plan = process.ask("trials")
    try:
        trials, checks = int(plan["trials"]), len(plan["checks"])
    except (LookupError, TypeError, ValueError) as error:
        raise process.fault("its rules do not say what there is to check") from error
    if not (0 < trials <= 60 and 0 < checks <= 100):
        raise process.fault(f"there are {trials} sets of rules and {checks} checks")
    found = 0
    for trial, check in product(range(trials), range(checks)):
        for finding in _findings(process, trial, check):
            found += 1
            yield finding
        if found >= MOST_FINDINGS:
            return


def _findings(process: RulesProcess, trial: int, check: int) -> list[GameProblem]:
    told = process.ask("check", trial, check)
    try:
        return [
            GameProblem(
                problem=printable(str(each["problem"]))[:1000],
                repair=printable(str(each["repair"]))[:1000],
                rules=printable(str(each["rules"]))[:100],
            )
            for each in list(told)[:MOST_FINDINGS]
        ]
    except (LookupError, TypeError, ValueError) as error:
        raise process.fault("its rules do not say what a check found") from error


def _fingerprints(process: RulesProcess) -> list[Any]:
    trials = process.ask("trials")["trials"]
    return [process.ask("fingerprint", trial) for trial in range(trials)]


def _require_same(seat: RulesSeat, prints: list[Any]) -> None:
    with seat.process() as process:
        if _fingerprints(process) != prints:
            raise process.fault(
                "plays of the same deals and actions differ in another process: its rules are not"
                " deterministic"
            )


def _play(folder: bytes, facts: UploadedFacts, slot: Slot) -> None:
    name = name_of(facts, hashlib.sha256(folder).hexdigest())
    for rules in facts.rules:
        with refereed(folder, name, rules.options, slot, facts_digest(facts)) as game:
            for index in range(_PLAYS):
                seed = deal_seed(_SECRET, index)
                chance = Chance(seed, "players")
                with game.play():
                    players = [_RandomPlayer(chance) for _ in range(game.seats)]
                    record = play_game(game, seed, players)
                game.drawn(record)


class _RandomPlayer:
    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def take(self, turn: Turn) -> Reply | None:
        if turn.kind is END:
            return None
        if turn.kind is START:
            return Reply(None, 0)
        legal = turn.message["legal"]
        return Reply(dict(legal[self._chance.below(len(legal))]), 0)

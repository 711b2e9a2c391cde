"""``firebox play --me``: a person at one seat, in a terminal, agents at the others."""

import argparse
import secrets
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Final

from rich.console import Console

from grader.cli.agents import Program
from grader.cli.arguments import agents_of, deal_of, game_of, limits_of, slot_for
from grader.cli.exits import Exit, UsageError
from grader.cli.output import (
    facts,
    fault_report,
    say,
    say_left_out,
    say_notes,
    say_unbuildable,
    warn,
)
from grader.core.deals import SECRET_BYTES
from grader.core.errors import IllegalAction
from grader.core.games import Game, JsonObject, presented
from grader.core.games.scenes import plain
from grader.core.records import Record
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind, referee
from grader.core.words import counted
from grader.play.players import Player, ProcessPlayer
from grader.play.single import SingleSandbox

__all__ = ["play_with_person"]

_LEAVE: Final = "q"
_OTHERS: Final = {"beside": "--with", "debug": "--debug", "json": "--json", "mode": "--mode"}


class _LeftError(Exception):
    """The person wants to play no more."""


def play_with_person(arguments: argparse.Namespace) -> Exit:
    """Play one game with the user. An agent's fault is the exit status 1."""
    agents = _agents(arguments)
    game = game_of(arguments, agents)
    programs = _seated(agents, game, arguments.me)
    seed = bytes.fromhex(_deal(arguments))
    slot = slot_for(arguments, [program.ref for program in agents])
    limits = limits_of(arguments)
    say_left_out({program.name: program.notes for program in agents})
    with ExitStack() as stack:
        players: dict[int, ProcessPlayer] = {}
        noted: set[str] = set()
        for seat, program in programs.items():
            with Console(stderr=True).status(f"starting {program.name}"):
                single = SingleSandbox(game, program.ref, limits, program.archive, slot)
            stack.callback(single.close)
            if not single.build.ok:
                say_unbuildable([program.name], [single.build], as_json=False)
                return Exit.FAULT
            if program.name not in noted:
                say_notes([program.name], [single.build])
                noted.add(program.name)
            players[seat] = single.start()
        say(facts(*((f"seat {seat}", program.name) for seat, program in programs.items())))
        try:
            record = _play(game, seed, {**players, arguments.me: _Person(game, seed, arguments.me)})
        except _LeftError:
            say("You left the game.")
            return Exit.OK
        return _say_end(record, players)


def _agents(arguments: argparse.Namespace) -> tuple[Program, ...]:
    """The agents that were named. Raises UsageError for arguments that do not go with ``--me``."""
    for name, option in _OTHERS.items():
        if getattr(arguments, name):
            raise UsageError(f"{option} cannot be combined with --me")
    if arguments.seat is not None:
        raise UsageError("--seat cannot be combined with --me; write the seat after it: --me 1")
    agents = agents_of(arguments)
    if len(agents) > 1 and arguments.players is None:
        arguments.players = len(agents) + 1
    return agents


def _seated(agents: tuple[Program, ...], game: Game, me: int) -> dict[int, Program]:
    """The agents by seat: one for all others, or one for each. Raises UsageError."""
    if not 0 <= me < game.seats:
        raise UsageError(f"--me is {me}; seats are 0 to {game.seats - 1}")
    others = [seat for seat in range(game.seats) if seat != me]
    if len(agents) not in {1, len(others)}:
        raise UsageError(
            f"{counted(len(agents), 'agent')} cannot share {counted(len(others), 'other seat')}:"
            f" name one for all of them, or {len(others)}, or set --players"
        )
    return dict(zip(others, agents if len(agents) > 1 else agents * len(others), strict=True))


def _deal(arguments: argparse.Namespace) -> str:
    """The deal that was named, or a new one: known deals are no fun to play."""
    named = (arguments.deal, arguments.secret, arguments.seed, arguments.index)
    if any(choice is not None for choice in named):
        return deal_of(arguments)
    return secrets.token_hex(SECRET_BYTES)


def _play(game: Game, seed: bytes, players: "Mapping[int, Player]") -> Record:
    """Play a game, and show the person the agents' actions as they happen."""
    person = next(player for player in players.values() if isinstance(player, _Person))
    state = game.deal(seed)
    play = referee(game, seed)
    turn = next(play)
    while True:
        answer = players[turn.seat].take(turn)
        if turn.kind is TurnKind.ACT and isinstance(answer, Reply) and answer.action is not None:
            try:
                state.apply(answer.action)
            except IllegalAction:
                pass  # the referee is about to say so
            else:
                person.tell(answer.action)
        try:
            turn = play.send(answer)
        except StopIteration as stop:
            record: Record = stop.value
            return record


class _Person:
    """The user, who is asked in the terminal."""

    def __init__(self, game: Game, seed: bytes, seat: int) -> None:
        self._game = game
        self._done: deque[JsonObject] = deque()
        self._shown = presented(game)
        self._scenes = self._shown.scenes(seed, self._actions(), seat)
        next(self._scenes)

    def _actions(self) -> Iterator[JsonObject]:
        while True:
            yield self._done.popleft()

    def tell(self, action: JsonObject) -> None:
        """Show an action, as the seat may know it."""
        self._done.append(action)
        scene = next(scene for scene in self._scenes if scene["seat"] is not None)
        effect = f" ({scene['effect']})" if scene["effect"] else ""
        say(plain(scene["said"]) + effect)

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Show the table and ask for an action. Raises _LeftError."""
        if turn.kind is TurnKind.START:
            return Reply(None, 0)
        if turn.kind is TurnKind.END:
            return None
        observation = turn.message["observation"]
        choices = {self._game.notate(action): action for action in turn.message["legal"]}
        say()
        say(self._shown.observed(observation))
        say()
        for notation, action in choices.items():
            say(f"  {notation:<6}{self._shown.choice(observation, action)}")
        return Reply(dict(choices[_chosen(choices)]), 0)


def _chosen(choices: Mapping[str, JsonObject]) -> str:
    """Ask until one of the choices is named. Raises _LeftError."""
    known = {notation.lower(): notation for notation in choices}
    while True:
        try:
            typed = input(f"Your move, as above ({_LEAVE} leaves): ").strip().lower()
        except EOFError:
            raise _LeftError from None
        if typed == _LEAVE:
            raise _LeftError
        if typed in known:
            return known[typed]
        warn(f"{typed!r} is not among the moves above.")


def _say_end(record: Record, players: Mapping[int, ProcessPlayer]) -> Exit:
    points = ", ".join(f"seat {seat} {score}" for seat, score in enumerate(record.scores))
    say()
    say(facts(("ended", record.ending), ("points", points), ("deal", record.deal_seed)))
    if record.fault is None:
        return Exit.OK
    say()
    say(fault_report(record, players[record.fault.seat].evidence()))
    return Exit.FAULT

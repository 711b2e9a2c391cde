"""``firebox play --me``: a person at one seat, in a terminal, agents at the others."""

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from rich.console import Console

from grader.cli.agents import NamedAgent
from grader.cli.arguments import (
    AgentArguments,
    RulesArguments,
    agents_of,
    game_of,
    limits_of,
    slot_for,
)
from grader.cli.exits import ExitStatus, UsageError
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
from grader.core.games.outcomes import counts_wins, score_words, winner_words
from grader.core.games.scenes import plain
from grader.core.records import AgentLimits, Record
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind, referee
from grader.core.words import counted, seat_words
from grader.play.players import ProcessPlayer, SeatPlayer
from grader.play.single import SingleSandbox
from grader.play.slot import Slot

_LEAVE: Final = "q"


class _LeftError(Exception):
    """The person wants to play no more."""


def play_with_person(
    asked: AgentArguments,
    rules: RulesArguments,
    *,
    at: int,
    deal: Callable[[Game], str] | None,
    begun: Sequence[str] = (),
) -> ExitStatus:
    """Play one game with the user ``at`` a seat, after the actions ``begun``.

    ``deal`` finds the deal, if the user named one: known deals are no fun to play.
    """
    agents = agents_of(asked) if asked.names else ()
    rules = _with_room_for(agents, rules)
    game = game_of(rules, agents, named=asked.names)
    programs = _seated(agents, game, at)
    seed = bytes.fromhex(deal(game)) if deal else secrets.token_bytes(SECRET_BYTES)
    slot = _slot_of(agents, asked)
    say_left_out({program.name: program.notes for program in agents})
    players: dict[int, ProcessPlayer] = {}
    noted: set[str] = set()
    with ExitStack() as stack:
        for seat, program in programs.items():
            single = _opened(game, program, limits_of(asked), slot)
            stack.callback(single.close)
            if not single.build.ok:
                say_unbuildable([program.name], [single.build], as_json=False)
                return ExitStatus.FAULT
            if program.name not in noted:
                say_notes([program], [single.build])
                noted.add(program.name)
            own = [at for at, one in programs.items() if one.ref == program.ref]
            players[seat] = single.start(own)
        _say_table(programs)
        try:
            record = _play(game, seed, {**players, at: _Person(game, seed, at, begun)}, begun)
        except _LeftError:
            say("You left the game.")
            return ExitStatus.OK
        return _say_end(game, record, players)


def _slot_of(agents: Sequence[NamedAgent], asked: AgentArguments) -> Slot:
    refs = [agent.ref for agent in agents]
    return slot_for(refs, no_sandbox=asked.no_sandbox or not refs)


def _say_table(programs: Mapping[int, NamedAgent]) -> None:
    if programs:
        say(facts(*((seat_words(seat), program.name) for seat, program in programs.items())))


def _opened(game: Game, program: NamedAgent, limits: AgentLimits, slot: Slot) -> SingleSandbox:
    with Console(stderr=True).status(f"starting {program.name}"):
        return SingleSandbox(game, program.ref, limits, program.archive, slot)


def _with_room_for(agents: Sequence[NamedAgent], rules: RulesArguments) -> RulesArguments:
    if len(agents) > 1 and rules.players is None:
        return replace(rules, players=len(agents) + 1)
    return rules


def _seated(agents: tuple[NamedAgent, ...], game: Game, me: int) -> dict[int, NamedAgent]:
    if not 0 <= me < game.seats:
        raise UsageError(f"--me is {me + 1}; seats are 1 to {game.seats}")
    others = [seat for seat in range(game.seats) if seat != me]
    if others and not agents:
        raise UsageError(f"name an AGENT for {counted(len(others), 'other seat')}")
    if len(agents) not in {1, len(others)}:
        raise UsageError(
            f"{counted(len(agents), 'agent')} cannot share {counted(len(others), 'other seat')}:"
            f" name one for all of them, or {len(others)}, or set --players"
        )
    return dict(zip(others, agents if len(agents) > 1 else agents * len(others), strict=True))


def _play(
    game: Game, seed: bytes, players: "Mapping[int, SeatPlayer]", begun: Sequence[str]
) -> Record:
    person = next(player for player in players.values() if isinstance(player, _Person))
    state = person.state
    play = referee(game, seed)
    turn = next(play)
    while True:
        answer = players[turn.seat].take(turn)
        if turn.kind is TurnKind.ACT and turn.number < len(begun) and isinstance(answer, Reply):
            answer = Reply(dict(game.parse(begun[turn.number])), answer.charged_us)
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
    def __init__(self, game: Game, seed: bytes, seat: int, begun: Sequence[str]) -> None:
        self._game = game
        self._begun = begun
        self._done: deque[JsonObject] = deque()
        self.state = game.deal(seed)
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
        if turn.number < len(self._begun):
            return Reply(None, 0)
        choices = {self._game.notate(action): action for action in turn.message["legal"]}
        say()
        say(self._shown.seen(self.state, turn.seat))
        say()
        for notation, action in choices.items():
            say(f"  {notation:<5} {self._shown.offered(self.state, turn.seat, action)}")
        return Reply(dict(choices[_chosen(choices)]), 0)


def _chosen(choices: Mapping[str, JsonObject]) -> str:
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


def _say_end(game: Game, record: Record, players: Mapping[int, ProcessPlayer]) -> ExitStatus:
    points = ", ".join(
        f"{seat_words(seat)} {score_words(game, score)}" for seat, score in enumerate(record.scores)
    )
    say()
    say(
        facts(
            ("ended", record.ending),
            ("result", winner_words(record.scores)) if counts_wins(game) else ("points", points),
            ("deal", record.deal_seed),
        )
    )
    if record.fault is None:
        return ExitStatus.OK
    say()
    say(fault_report(record, players[record.fault.seat].evidence()))
    return ExitStatus.FAULT

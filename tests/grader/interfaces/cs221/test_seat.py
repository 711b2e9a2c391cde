"""A seat's state follows the referee's, knows no more than it may, and calls its agent in order."""

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.deals import PRACTICE_SECRET, deal_seed, shuffled
from grader.core.games import game_from_options
from grader.core.games.hanabi import DECK
from grader.core.referee import Reply, Turn, TurnKind, referee
from grader.interfaces.cs221_python.firebox_cs221.parts import CHANCE
from grader.interfaces.cs221_python.firebox_cs221.seat import Cs221LocalSeat
from grader.interfaces.cs221_python.firebox_cs221.simulator import (
    Action,
    Agent,
    GameState,
)
from grader.interfaces.cs221_python.firebox_cs221.util import Counter
from tests.support.depth import deeper
from tests.support.every import every


class Watcher(Agent):
    """Acts at random and keeps what it was called with."""

    seen: list[tuple[Any, ...]]

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.seen = []
        self.chance = random.Random(index)  # noqa: S311 - for playing

    def registerInitialState(self, gameState: GameState) -> None:
        self.seen.append(("initial", gameState.deepCopy()))

    def inference(self, gameState: GameState, agentIndex: int, action: Action) -> None:
        self.seen.append(("inference", agentIndex, action, gameState.deepCopy()))

    def getAction(self, gameState: GameState) -> Action:
        self.seen.append(("turn", gameState.deepCopy()))
        action: Action = self.chance.choice(gameState.getLegalActions(self.index))
        return action


class Table:
    """A game among watchers, turn by turn. With ``open_hands`` they see all cards."""

    def __init__(self, index: int, players: int, *, open_hands: bool = False) -> None:
        self.game = game_from_options("hanabi", {"variant": "cs221", "players": players})
        self.seed = deal_seed(PRACTICE_SECRET, index)
        self.deck = shuffled(DECK, self.seed)
        self.agents: list[Watcher] = []
        deck = self.deck if open_hands else None
        self.seats = [Cs221LocalSeat(self._agent, deck) for _ in range(players)]
        self.turns: list[Turn] = []
        self.actions: list[dict[str, Any]] = []

    def _agent(self, index: int) -> Watcher:
        self.agents.append(Watcher(index))
        return self.agents[-1]

    def play(self) -> "Table":
        play = referee(self.game, self.seed)
        turn = next(play)
        while True:
            answer = self.seats[turn.seat].send(turn.message)
            if turn.kind is TurnKind.ACT:
                assert answer is not None
                self.turns.append(turn)
                self.actions.append(answer["action"])
            try:
                said = None if answer is None else Reply(answer.get("action"), 0)
                turn = play.send(None if turn.kind is TurnKind.END else said)
            except StopIteration as stop:
                self.record = stop.value
                return self


GAMES = [(index, players) for index in range(deeper(3, deep=6)) for players in (2, 3, 4, 5)]


def states_at_turns(table: Table) -> list[GameState]:
    assert table.turns
    own = {agent.index: [s[1] for s in agent.seen if s[0] == "turn"] for agent in table.agents}
    return [own[turn.seat].pop(0) for turn in table.turns]


@every(("index", "players"), GAMES)
def test_the_state_is_the_referees(index: int, players: int) -> None:
    table = Table(index, players).play()
    for turn, state in zip(table.turns, states_at_turns(table), strict=True):
        observation = turn.message["observation"]
        data = state.data
        assert data.clue == observation["hint_tokens"]
        assert data.table.state == [top - 1 for top in observation["fireworks"].values()]
        assert sum(data.trash.state.values()) == len(observation["discards"])
        assert len(data.deck) == observation["deck"]
        assert state.getScore() == observation["score"]
        left = observation["turns_left"]
        assert data.additionalTerms == (float("inf") if left is None else left)
        for hand, shown in zip(data.agentState, observation["hands"], strict=True):
            told = [(k["color"] is not None, k["rank"] is not None) for k in shown["knowledge"]]
            assert hand.know == told


@pytest.mark.slow
@every(("index", "players"), GAMES)
def test_legal_actions_are_the_referees(index: int, players: int) -> None:
    table = Table(index, players).play()
    seat = table.seats[0]
    for turn, state in zip(table.turns, states_at_turns(table), strict=True):
        own = [seat.to_wire(action) for action in state.getLegalActions(turn.seat)]
        ours, theirs = (
            [sorted(a.items(), key=str) for a in each] for each in (own, turn.message["legal"])
        )
        assert sorted(ours, key=str) == sorted(theirs, key=str)


@pytest.mark.slow
@every(("index", "players"), GAMES)
def test_an_agent_that_sees_all_cards_foresees_all_but_draws(index: int, players: int) -> None:
    """With open hands the successor of an action is what happens, up to the card that is drawn."""
    table = Table(index, players, open_hands=True).play()
    for agent in table.agents:
        pairs = list(zip(agent.seen, agent.seen[1:], strict=False))
        assert [after[0] for _, after in pairs].count("inference") == len(table.turns)
        for before, after in pairs:
            if after[0] != "inference":
                continue
            _, actor, action, state = after
            foreseen = before[-1].deepCopy().generateSuccessor(actor, action)
            for known, happened in ((foreseen.data, state.data),):
                assert known.clue == happened.clue
                assert known.table.state == happened.table.state
                assert known.trash.state == happened.trash.state
                assert known.additionalTerms == happened.additionalTerms
                assert len(known.deck) == len(happened.deck)
                for one, other in zip(known.agentState, happened.agentState, strict=True):
                    assert one.cards[:3] == other.cards[:3]
                    assert one.know == other.know


@pytest.mark.slow
@every(("index", "players"), GAMES)
def test_nothing_hidden_is_in_a_state(index: int, players: int) -> None:
    """Own cards have just what clues named; the deck is all that the seat cannot see."""
    table = Table(index, players).play()
    for agent in table.agents:
        assert agent.seen
        for *_, state in agent.seen:
            mine = state.data.agentState[agent.index]
            assert mine.cards == mine.peek()
            seen = [c for s in state.data.agentState for c in s.cards if None not in c]
            seen += list(state.data.trash.state.elements())
            seen += [(c, n) for c, top in enumerate(state.data.table.state) for n in range(top + 1)]
            for card, left in state.data.deck.state.items():
                assert left == state.rule.numNumber[card[1]] - seen.count(card)


def test_an_agent_hears_of_every_action_once_and_in_order() -> None:
    table = Table(0, 3).play()
    for agent in table.agents:
        assert agent.seen[0][0] == "initial"
        heard = [entry[1:3] for entry in agent.seen if entry[0] == "inference"]
        seat = table.seats[agent.index]
        done = [(turn.seat, a) for turn, a in zip(table.turns, table.actions, strict=True)]
        assert [(who, seat.to_wire(action)) for who, action in heard] == done


def test_turns_are_counted_from_the_first_failed_draw() -> None:
    agent = Table(0, 3).play().agents[0]
    left = [entry[-1].data.additionalTerms for entry in agent.seen if entry[0] == "inference"]
    assert left[-4:] == [3, 2, 1, 0]
    assert set(left[:-4]) == {float("inf")}


def test_what_an_agent_notes_when_it_acts_is_lost_and_what_it_infers_stays() -> None:
    class Noting(Watcher):
        def inference(self, gameState: GameState, agentIndex: int, action: Action) -> None:
            assert gameState.data.agentState[self.index].infer in (self.noted, [None] * 4)
            self.noted = [("told", len(self.seen)), *[None] * 3]
            gameState.data.agentState[self.index].infer[:] = self.noted[:]
            super().inference(gameState, agentIndex, action)

        noted: list[Any] = [None] * 4

        def getAction(self, gameState: GameState) -> Action:
            mine = gameState.data.agentState[self.index]
            assert mine.infer == self.noted
            gameState.generateSuccessor(self.index, ("discard", 0))
            mine.infer[0], mine.cards[0], gameState.data.clue = "lost", (0, 0), 7
            return ("play", 3)

    table = Table(0, 2)
    table.seats = [Cs221LocalSeat(Noting) for _ in range(2)]
    play = referee(table.game, table.seed)
    turn, answered = next(play), 0
    while answered < 6:
        answer = table.seats[turn.seat].send(turn.message)
        assert answer is not None
        answered += turn.kind is TurnKind.ACT
        turn = play.send(Reply(answer.get("action"), 0))


def test_an_agent_needs_nothing_but_get_action() -> None:
    class Bare:
        def __init__(self, index: int) -> None:
            pass

        def getAction(self, gameState: GameState) -> Action:
            first: Action = gameState.getLegalActions(self.index)[0]  # type: ignore[attr-defined]
            return first

    table = Table(0, 2)
    table.seats = [Cs221LocalSeat(Bare) for _ in range(2)]
    assert table.play().record.fault is None


def test_other_rules_are_refused() -> None:
    game = game_from_options("hanabi", {"variant": "standard", "players": 3})
    message = {"type": "start", "game": "hanabi", "options": game.options, "seat": 0}
    with pytest.raises(ValueError, match="by the rules called cs221"):
        Cs221LocalSeat(Watcher).send(message | {"players": 3, "seed": 1})


def state(index: int = 0, players: int = 3) -> GameState:
    deal: GameState = Table(index, players).play().agents[0].seen[0][1]
    return deal


def test_hidden_cards_become_possible_ones() -> None:
    deal = state()
    visible = [c for hand in deal.data.agentState[1:] for c in hand.cards]
    for _ in range(50):
        after = deal.deepCopy().generateSuccessor(0, ("discard", 0))
        (card,) = after.data.trash.state
        assert visible.count(card) < deal.rule.numNumber[card[1]]
        assert after.data.agentState[0].cards == [(None, None)] * 4
        drawn = after.generateSuccessor(1, ("discard", 0)).data.agentState[1].cards[-1]
        assert None not in drawn


@pytest.mark.parametrize("seed", range(deeper(16, deep=40)))
@pytest.mark.slow
def test_a_simulated_draw_never_takes_the_last_possible_copy_of_an_own_card(seed: int) -> None:
    deal = state(players=2)
    deal.data.agentState[0].cards = [(0, None)]
    deal.data.agentState[0].know = [(True, False)]
    deal.data.agentState[0].infer = [None]
    deal.data.deck.state = Counter({(0, 4): 1, (4, 4): 1})
    deal.data.deck.size = 1
    CHANCE.seed(seed)
    drawn = deal.generateSuccessor(1, ("discard", 0))
    assert drawn.data.agentState[1].cards[-1] == (4, 4)
    assert drawn.generateSuccessor(0, ("discard", 0)).data.trash.state[0, 4] == 1


@pytest.mark.parametrize("seed", range(deeper(16, deep=40)))
def test_a_guess_of_an_own_card_leaves_a_possibility_for_the_others(seed: int) -> None:
    deal = state(players=2)
    deal.data.agentState[0].cards = [(0, None), (None, 4), (0, 4)]
    deal.data.deck.state = Counter({(0, 4): 1, (0, 3): 1})
    deal.data.deck.size = 0
    CHANCE.seed(seed)
    after = deal.generateSuccessor(0, ("discard", 0))
    assert after.data.trash.state == {(0, 3): 1}
    assert after.generateSuccessor(0, ("discard", 0)).data.trash.state[0, 4] == 1


def test_a_state_that_an_agent_made_impossible_has_successors_anyway() -> None:
    deal = state()
    deal.data.deck.state = Counter()
    after = deal.generateSuccessor(0, ("discard", 0)).generateSuccessor(1, ("discard", 0))
    assert None not in after.data.agentState[1].cards[-1]
    deal.data.agentState[0].cards[0] = (0, None)
    deal.data.trash.state = Counter({(0, n): 3 for n in range(5)})
    deal.generateSuccessor(0, ("discard", 0))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@given(index=st.integers(0, 5), share=st.floats(0.3, 1), seed=st.integers(0, 1 << 30))
@pytest.mark.slow
def test_every_future_of_a_real_state_ends(
    players: int, index: int, share: float, seed: int
) -> None:
    """Played on at random, mostly without clues, so that decks run out."""
    states = played_states(index, players)
    at = min(int(share * len(states)), len(states) - 1)
    seat, future = states[at][0], states[at][1].deepCopy()
    chance = random.Random(seed)  # noqa: S311 - for playing
    CHANCE.seed(seed)
    while legal := future.getLegalActions(seat):
        quiet = [action for action in legal if action[0] in {"play", "discard"}]
        future = future.generateSuccessor(seat, chance.choice(quiet or legal))
        seat = (seat + 1) % players
    assert future.isEnd()


@cache
def played_states(index: int, players: int) -> list[tuple[int, GameState]]:
    table = Table(index, players).play()
    seats = [turn.seat for turn in table.turns]
    return list(zip(seats, states_at_turns(table), strict=True))

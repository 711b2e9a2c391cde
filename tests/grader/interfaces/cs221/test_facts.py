"""What an agent can see of the simulator's classes, expression by expression, as it is there."""

import inspect
import sys
from typing import Any, Final

import pytest

from grader.interfaces.cs221_python.firebox_cs221.names import offer_simulator
from tests.grader.interfaces import facts
from tests.grader.interfaces.cs221.table import BOXED, files_of, play

MODULES: Final = ("agent", "game", "gameState", "util")
CLUES: Final = [
    *(("color", 1, c) for c in (0, 1, 4)),
    *(("number", 1, n) for n in (0, 1, 4)),
    *(("color", 2, c) for c in (2, 3)),
    *(("number", 2, n) for n in (0, 1, 4)),
]
"""All clues that the first player can give."""
OF_THE_SECOND: Final = [
    *(("color", 2, c) for c in (2, 3)),
    *(("number", 2, n) for n in (0, 1, 4)),
    *(("color", 0, c) for c in (0, 1, 2, 3)),
    *(("number", 0, n) for n in (0, 1, 2, 3)),
]
CARDS: Final = [(kind, i) for i in range(4) for kind in ("play", "discard")]

FACTS: Final[dict[str, str]] = {
    # Rules.
    "vars(rule())": "{'numColor': 5, 'numNumber': [3, 2, 2, 2, 1], 'numCard': 4, 'numClue': 7,"
        " 'numAgent': 3}",
    "Rule(numColor=4, numNumber=[1], numCard=2, numClue=3, numAgent=2).numAgent": "2",
    "Rule(4, [1], 2, 3)": "TypeError",
    # Hands.
    "hand((0, 1), (2, 3)).cards": "[(0, 1), (2, 3)]",
    "hand((0, 1), (2, 3)).know": "[(False, False), (False, False)]",
    "hand((0, 1), (2, 3)).infer": "[None, None]",
    "AgentState([(0, 1)], [(True, False)], ['x']).know": "[(True, False)]",
    "AgentState([(0, 1)], [(True, False)], ['x']).infer": "['x']",
    "AgentState([(0, 1)], know=[(True, True)]).infer": "[None]",
    "AgentState([(0, 1)], infer=[7]).know": "[(False, False)]",
    "AgentState(cards=[]).cards": "[]",
    "hand((0, 1), (2, 3)).pop(0)": "(0, 1)",
    "hand((0, 1), (2, 3)).pop(-1)": "(2, 3)",
    "hand((0, 1), (2, 3)).pop(2)": "None",
    "hand((0, 1), (2, 3)).pop(9)": "None",
    "hand((0, 1)).pop(-2)": "IndexError",
    "held = hand((0, 1), (2, 3)); held.pop(2); (held.cards, held.know, held.infer)":
        "([(0, 1), (2, 3)], [(False, False), (False, False)], [None, None])",
    "held = AgentState([(0, 1), (2, 3)], infer=['a', 'b']); held.pop(0); held.infer": "['b']",
    "held = AgentState([(0, 1), (2, 3)], [(1, 0), (0, 1)]); held.pop(0); held.know": "[(0, 1)]",
    "held = hand((0, 1)); held.add((4, 4)); held.cards": "[(0, 1), (4, 4)]",
    "held = hand((0, 1)); held.add((4, 4)); (held.know[-1], held.infer[-1])":
        "((False, False), None)",
    "hand().add((4, 4))": "None",
    "hand((0, 1)).peek()": "[(None, None)]",
    "AgentState([(0, 1)], [(True, False)]).peek()": "[(0, None)]",
    "AgentState([(0, 1)], [(False, True)]).peek()": "[(None, 1)]",
    "AgentState([(0, 1)], [('True', 'True')]).peek()": "[(0, 1)]",
    "held = hand((0, 1)); twin = held.copy(); twin.pop(0); held.cards": "[(0, 1)]",
    "held = hand((0, 1)); twin = held.copy(); twin.infer[0] = 1; held.infer": "[None]",
    "held = hand((0, 1)); twin = held.copy(); twin.know[0] = 1; held.know": "[(False, False)]",
    "type(hand().copy()) is AgentState": "True",
    # The table.
    "state().data.table.state": "[-1, -1, -1, -1, -1]",
    "state().data.table.getScore()": "0",
    "state(table=[0, 4, -1, -1, 1]).data.table.getScore()": "8",
    "state().data.table.playable((0, 0))": "True",
    "state().data.table.playable((0, 1))": "False",
    "state(table=[0, 0, 0, 0, 0]).data.table.playable((3, 0))": "False",
    "state().data.table.playable(None)": "TypeError",
    "state().data.table.check((0, 0))": "False",
    "state(table=[1, 0, 0, 0, 0]).data.table.check((0, 0))": "True",
    "state().data.table.add((0, 0))": "True",
    "state().data.table.add((0, 1))": "False",
    "table = state().data.table; table.add((2, 0)); table.add((2, 2)); table.state":
        "[-1, -1, 0, -1, -1]",
    "table = state().data.table; twin = table.deepCopy(); twin.add((0, 0)); table.getScore()": "0",
    "table = state().data.table; type(table.deepCopy()) is type(table)": "True",
    # The trash.
    "state().data.trash.state": "Counter()",
    "state().data.trash.check((0, 0))": "0",
    "trash = state().data.trash; trash.add((0, 0)); trash.add((0, 0)); trash.check((0, 0))": "2",
    "trash = state().data.trash; trash.add(None); trash.state[None]": "1",
    "trash = state().data.trash; twin = trash.deepCopy(); twin.add((0, 0)); trash.check((0, 0))":
        "0",
    # The deck.
    "sum(state().data.deck.state.values())": "38",
    "state().data.deck.state[(0, 0)]": "1",
    "state().data.deck.state[(4, 4)]": "0",
    "(4, 4) in state().data.deck.state": "True",
    "deck = state().data.deck; card = deck.draw(); card in deck.state": "True",
    "deck = state().data.deck; deck.draw(); sum(deck.state.values())": "37",
    "deck = state().data.deck; [deck.draw() for _ in range(38)].count(None)": "0",
    "deck = state().data.deck; [deck.draw() for _ in range(38)]; deck.draw()": "None",
    "deck = state().data.deck; [deck.draw() for _ in range(38)]; set(deck.state.values())": "{0}",
    "deck = state().data.deck; [deck.draw() for _ in range(38)]; len(deck.state)": "25",
    "deck = state().data.deck; [deck.draw() for _ in range(38)]; bool(deck)": "True",
    "deck = state().data.deck; twin = deck.deepCopy(); twin.draw(); sum(deck.state.values())": "38",
    # All the data.
    "data = GameStateData(); data.initialize(rule()); len(data.agentState)": "3",
    "data = GameStateData(); data.initialize(rule()); [len(h.cards) for h in data.agentState]":
        "[4, 4, 4]",
    "data = GameStateData(); data.initialize(rule()); data.clue": "7",
    "data = GameStateData(); data.initialize(rule()); data.additionalTerms": "inf",
    "data = GameStateData(); data.initialize(rule()); data.table.state": "[-1, -1, -1, -1, -1]",
    "data = GameStateData(); data.initialize(rule()); sum(data.deck.state.values())": "38",
    "data = GameStateData(); data.initialize(Rule(4, [3, 2, 2, 2, 1], 4, 7, 2));"
    " (len(data.table.state), sum(data.deck.state.values()))": "(4, 32)",
    "data = GameStateData(); data.initialize(rule())": "None",
    "data = state().data; twin = data.deepCopy(); twin.clue = 0; twin.table.add((0, 0));"
    " twin.agentState[0].pop(0); twin.trash.add(None); (data.clue, data.table.getScore(),"
    " len(data.agentState[0].cards), data.trash.check(None))": "(7, 0, 4, 0)",
    "data = state().data; copies = data.copyAgentStates(data.agentState); copies[0].pop(0);"
    " len(data.agentState[0].cards)": "4",
    "data = state().data; [h.cards for h in data.copyAgentStates(data.agentState)] == list(HANDS)":
        "True",
    "type(state().data).__name__": "GameStateData",
    # States.
    "made = state(); (made.getNumAgents(), made.getScore())": "(3, 0)",
    "made = state(); (made.isEnd(), made.isWin())": "(False, False)",
    "made = state(table=[4] * 5); (made.isEnd(), made.isWin(), made.getScore())":
        "(True, True, 25)",
    "state(last=0).isEnd()": "True",
    "state(last=1).isEnd()": "False",
    "made = state(); twin = made.deepCopy(); twin.data.clue = 0; made.data.clue": "7",
    "made = state(); twin = made.deepCopy(); twin.data.agentState[0].infer[0] = 1;"
    " made.data.agentState[0].infer": "[None, None, None, None]",
    "made = state(); copy.deepcopy(made).data.agentState[1].cards == HANDS[1]": "True",
    "type(state().deepCopy()) is GameState": "True",
    # Statistics and legal actions.
    "state().getCardStatistics(1)": "({0: [0, 1], 1: [2], 4: [3]}, {0: [0, 2], 1: [1], 4: [3]})",
    "[type(each).__name__ for each in state().getCardStatistics(1)]": "['dict', 'dict']",
    "state().getCardStatistics(1)[0][2]": "KeyError: 2",
    "state().getCardStatistics(1)[1][3]": "KeyError: 3",
    "2 in state().getCardStatistics(1)[0]": "False",
    "state().getLegalActions(0)": str([*CARDS, *CLUES]),
    "state().getLegalActions(1)": str([*CARDS, *OF_THE_SECOND]),
    "[action[1] for action in state().getLegalActions(2)[8:]]": str([0] * 8 + [1] * 6),
    "state(clue=0).getLegalActions(0)": str(CARDS),
    "state(table=[4] * 5).getLegalActions(0)": "[]",
    "state(last=0).getLegalActions(0)": "[]",
    "made = state(); made.data.agentState[0].pop(0); len(made.getLegalActions(0))": str(6 + 11),
    # Tests of cards, the partial ones, too.
    "state().isPlayable((0, 0))": "True",
    "state().isPlayable((0, 1))": "False",
    "state().isPlayable((None, 0))": "True",
    "state().isPlayable((0, None))": "False",
    "state().isPlayable((None, None))": "False",
    "state(table=[0, -1, -1, -1, -1]).isPlayable((None, 0))": "False",
    "made = state(table=[0, -1, -1, -1, -1]); made.data.trash.state[0, 0] = 2;"
    " made.isPlayable((None, 0))": "True",
    "state(table=[0] * 5).isPlayable((None, 1))": "True",
    "state().isDiscardable((0, 0))": "False",
    "state(table=[0] * 5).isDiscardable((0, 0))": "True",
    "state(table=[0] * 5).isDiscardable((None, 0))": "True",
    "state(table=[4, 0, 0, 0, 0]).isDiscardable((0, None))": "True",
    "state(table=[4, 0, 0, 0, 0]).isDiscardable((None, 1))": "False",
    "state().isDangerous((0, 4))": "True",
    "state().isDangerous((None, 4))": "True",
    "state().isDangerous((0, 0))": "False",
    "state().isDangerous((0, None))": "False",
    "made = state(); made.data.trash.add((0, 1)); made.isDangerous((0, 1))": "True",
    "made = state(); made.data.trash.add((0, 0)); made.isDangerous((0, 0))": "False",
    "made = state(table=[4, 0, 0, 0, 0]); made.isDangerous((0, 4))": "False",
    # Successors: of the very state, by no rules.
    "made = state(); made.generateSuccessor(0, ('play', 0)); made.getScore()": "1",
    "made = state(); made.generateSuccessor(0, ('play', 0)).data is made.data": "True",
    "type(state().generateSuccessor(0, ('play', 0))) is GameState": "True",
    "made = state(); twin = made.deepCopy(); twin.generateSuccessor(0, ('play', 0));"
    " made.getScore()": "0",
    "after(0, 'play', 0).table.state": "[0, -1, -1, -1, -1]",
    "after(0, 'play', 0).clue": "7",
    "after(0, 'play', 0).agentState[0].cards[:3]": "[(1, 1), (2, 2), (3, 3)]",
    "len(after(0, 'play', 0).agentState[0].cards)": "4",
    "after(0, 'play', 0).trash.state": "Counter()",
    "after(0, 'play', 1).trash.state": "Counter({(1, 1): 1})",
    "after(0, 'play', 1).clue": "6",
    "after(0, 'play', 1, clue=0).clue": "0",
    "after(0, 'play', -1).trash.state": "Counter({(3, 3): 1})",
    "after(0, 'play', 4)": "TypeError",
    "after(1, 'play', 3, table=[-1, -1, -1, -1, 3]).clue": "7",
    "after(1, 'play', 3, table=[-1, -1, -1, -1, 3], clue=3).clue": "3",
    "after(0, 'discard', 0).clue": "7",
    "after(0, 'discard', 0, clue=3).clue": "4",
    "after(0, 'discard', 2).trash.state": "Counter({(2, 2): 1})",
    "after(0, 'discard', -1).trash.state": "Counter({(3, 3): 1})",
    "sum(after(0, 'discard', 0).deck.state.values())": "37",
    "after(0, 'discard', 4).trash.state": "Counter({None: 1})",
    "after(0, 'discard', 4, clue=3).clue": "4",
    "len(after(0, 'discard', 4).agentState[0].cards)": "5",
    "after(0, 'discard', 9).trash.check(None)": "1",
    "after(0, 'discard', -5)": "IndexError",
    "after(0, 'discard', 0, last=3).additionalTerms": "2",
    "made = state(last=1); made.generateSuccessor(0, ('discard', 0)); made.isEnd()": "True",
    "made = state(last=1); made.data.additionalTerms = inf;"
    " made.generateSuccessor(0, ('discard', 0)); made.data.additionalTerms": "3",
    "made = state(last=1); made.data.additionalTerms = inf;"
    " made.generateSuccessor(0, ('color', 1, 0)); made.data.additionalTerms": "inf",
    "after(0, 'color', 1, 0).clue": "6",
    "after(0, 'color', 1, 0).agentState[1].know":
        "[(True, False), (True, False), (False, False), (False, False)]",
    "after(0, 'number', 1, 0).agentState[1].know":
        "[(False, True), (False, False), (False, True), (False, False)]",
    "after(0, 'number', 1, 0).agentState[1].peek()":
        "[(None, 0), (None, None), (None, 0), (None, None)]",
    "made = state(); made.generateSuccessor(0, ('number', 1, 4));"
    " made.generateSuccessor(2, ('color', 1, 4)); made.data.agentState[1].peek()[3]": "(4, 4)",
    "after(0, 'color', 1, 0, clue=0).clue": "-1",
    "after(0, 'color', 1, 2)": "KeyError",
    "after(0, 'number', 1, 3)": "KeyError",
    "after(0, 'color', 0, 0).agentState[0].know[0]": "(True, False)",
    "after(0, 'color', 3, 0)": "IndexError",
    "after(0, 'number', 1, 0, last=3).additionalTerms": "2",
    "after(0, 'play', 0, last=0)": "Exception",
    "after(0, 'play', 0, table=[4] * 5)": "Exception",
    "made = state(); made.data.agentState[0].infer = list('abcd');"
    " made.generateSuccessor(0, ('discard', 1)); made.data.agentState[0].infer":
        "['a', 'c', 'd', None]",
    "after(0, 'discard', 0).agentState[0].know[-1]": "(False, False)",
    # Agents and games.
    "Agent(2).index": "2",
    "Agent().index": "0",
    "Agent(0).registerInitialState(state())": "None",
    "Agent(0).inference(state(), 0, ('play', 0))": "None",
    "groupActions([])": "{'play': [], 'discard': [], 'color': [], 'number': [], 'info': []}",
    "sorted(groupActions(state().getLegalActions(0)))":
        "['color', 'discard', 'info', 'number', 'play']",
    "groupActions(state().getLegalActions(0))['play']": str([("play", i) for i in range(4)]),
    "groupActions(state().getLegalActions(0))['color']":
        str([clue for clue in CLUES if clue[0] == "color"]),
    "groupActions(state().getLegalActions(0))['info']": "[]",
    "made = Game([Agent(0), Agent(1)]); vars(made.rule)":
        "{'numColor': 4, 'numNumber': [3, 2, 2, 2, 1], 'numCard': 4, 'numClue': 7, 'numAgent': 2}",
    "Game([Agent(0)] * 3, 5, [1, 1], 2, 3).rule.numNumber": "[1, 1]",
    "made = played(numColor=5); 0 <= made.score <= 25": "True",
    "made = played(); {agent.told for agent in made.agents} == {made.agents[0].told}": "True",
    "[agent.begun for agent in played().agents]": "[1, 1, 1]",
    "[agent.kept for agent in played().agents]": "[0, 0, 0]",
    "made = played(); first = made.agents[0].told; made.run(); made.agents[0].told > first": "True",
    # Counters.
    "Counter()['x']": "0",
    "counter = Counter(); counter['a'] += 2; counter.totalCount()": "2",
    "Counter({'a': 1, 'b': 3}).argMax()": "b",
    "Counter().argMax()": "None",
    "Counter({'a': 1, 'b': 3}).sortedKeys()": "['b', 'a']",
    "counter = Counter({'a': 1, 'b': 3}); counter.normalize(); counter['b']": "0.75",
    "counter = Counter(); counter.incrementAll(['a', 'b'], 2); counter['b']": "2",
    "counter = Counter({'a': 4}); counter.divideAll(2); counter['a']": "2.0",
    "counter = Counter({'a': 4}); twin = counter.copy(); twin['a'] = 1; counter['a']": "4",
    "Counter({'a': 2}) * Counter({'a': 3, 'b': 1})": "6",
    "(Counter({'a': 2}) - Counter({'a': 3}))['a']": "-1",
    "(Counter({'a': 2}) + Counter({'b': 3}))['b']": "3",
    "flipCoin(0), flipCoin(1)": "(False, True)",
    "normalize([1, 3])": "[0.25, 0.75]",
    "chooseFromDistribution({'a': 1})": "a",
    "chooseFromDistribution([(1, 'a')])": "a",
    **{
        f"exec('from {module} import *', names := {{}}); {name!r} in names": "True"
        for module, names in {
            "agent": ("Agent", "groupActions"),
            "game": ("Game", "Agent", "GameState", "random"),
            "gameState": ("AgentState", "GameState", "GameStateData", "Rule", "Counter"),
            "simulator": ("Deck", "Table", "Trash", "Game"),
        }.items()
        for name in names
    },
}  # fmt: skip

AT_THE_TABLE: Final[dict[str, str]] = {
    "me.index": "0",
    "vars(seen.rule)": "{'numColor': 5, 'numNumber': [3, 2, 2, 2, 1], 'numCard': 4, 'numClue': 7,"
        " 'numAgent': 3}",
    "type(seen).__name__, type(seen.data).__name__": "('GameState', 'GameStateData')",
    "seen.data.clue, seen.data.additionalTerms": "(7, inf)",
    "seen.getLegalActions(0)[:8]": str(CARDS),
    "sorted({action[1] for action in seen.getLegalActions(0)[8:]})": "[1, 2]",
    "[action[1] for action in seen.getLegalActions(1)[8:]].index(2)": "0",
    # Hidden cards are masked, in copies, too.
    "seen.data.agentState[0].cards": str([(None, None)] * 4),
    "seen.deepCopy().data.agentState[0].cards": str([(None, None)] * 4),
    "copy.deepcopy(seen).data.agentState[0].cards": str([(None, None)] * 4),
    "seen.data.deepCopy().agentState[0].peek()": str([(None, None)] * 4),
    "seen.data.copyAgentStates(seen.data.agentState)[0].cards": str([(None, None)] * 4),
    "sum(seen.data.deck.state.values())": "42",
    "seen.getCardStatistics(0)": "({}, {})",
    "None in seen.data.agentState[1].cards[0]": "False",
    # What is done here is done to a copy.
    "after = seen.deepCopy().generateSuccessor(0, ('discard', 0)); sum(after.data.trash.state"
    ".values())": "1",
    "seen.deepCopy().generateSuccessor(0, ('discard', 0)).data.agentState[0].cards":
        str([(None, None)] * 4),
    "None in seen.deepCopy().generateSuccessor(1, ('discard', 0)).data.agentState[1].cards[-1]":
        "False",
    "seen.data.agentState[0].infer[0] = 'lost'; seen.data.agentState[0].infer[0]": "lost",
    "seen.generateSuccessor(0, ('discard', 0)).data is seen.data": "True",
    "seen.data.agentState[0].infer": "['told', None, None, None]",
}  # fmt: skip
"""In the first turn of a real game of three, where ``seen`` is the state that ``me`` is given."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    for name in (*MODULES, "simulator"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    offer_simulator()
    scope: dict[str, Any] = {"told": facts.told}
    exec(files_of("asker")["names.py"], scope)  # noqa: S102 - our own text
    for name in (*MODULES, "simulator"):
        monkeypatch.setitem(sys.modules, name, __import__(name))
    return scope


def test_the_simulator_is_the_courses(names: dict[str, Any]) -> None:
    found = facts.differences(FACTS, names)
    print(f"{len(FACTS)} facts compared, {len(found)} different")
    assert found == []


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
def test_the_simulator_is_the_courses_for_an_agent_in_the_sandbox() -> None:
    files = {
        **files_of("asker"),
        "facts.py": inspect.getsource(facts),
        "asked.py": f"FACTS = {FACTS!r}\nAT_THE_TABLE = {AT_THE_TABLE!r}\n",
    }
    (result,) = play(files, slot=BOXED)
    print(f"{len(FACTS) + len(AT_THE_TABLE)} facts compared")
    assert result.record.fault is None, result.evidence

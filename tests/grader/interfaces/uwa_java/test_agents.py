"""Our own agents of this interface: which of them covers what of it.

Each plays whole games in ``test_uwa_java`` and throws as soon as something is not as it should be;
here is looked whether all of them together look at all there is.
"""

import re
from pathlib import Path
from typing import Final

import pytest

import grader.interfaces

HERE: Final = Path(__file__).parent
PACKAGE: Final = Path(grader.interfaces.__file__).parent / "uwa_java" / "hanabAI"
FOLDERS: Final = ("agents", "eras", "packages", "students", "faulty")

_HISTORIAN: Final = "agents/Agent10000001"
_LIBRARIAN: Final = "agents/Agent10000002"
_SIMULATOR: Final = "agents/Agent10000003"
_AMNESIAC: Final = "agents/Agent10000004"
_OBSERVER: Final = "agents/Agent10000005"
_MODERN: Final = "agents/Agent10000006"
_DABBLER: Final = "agents/Agent10000007"
_OLD_TIMER: Final = "eras/Agent10000011"
_BY_RULES: Final = "students/Agent21500123"
_BY_SAMPLES: Final = "students/project/src/agents/Agent22334455"

COVERS: Final = {
    # What is submitted, and how it is made.
    "one file, and one that helps": (_HISTORIAN, r"Check\.that"),
    "several classes in a file, package-private": (_AMNESIAC, r"\nclass Notes"),
    "a public constructor without parameters": (_HISTORIAN, r"public Agent10000001\(\)"),
    "no constructor at all": (_LIBRARIAN, r"\A(?!.*public Agent10000002\()"),
    "a new instance for each game, and new statics": (_AMNESIAC, r'games == 1, "game "'),
    "an agent in no package": ("packages/Agent10000021", r"\Aimport hanabAI"),
    "an agent in a package of its own": ("packages/Agent10000022", r"package student\.project"),
    "a helper in another package": ("packages/helpers/Chooser", r"public class Chooser"),
    "an agent in the framework's package": ("packages/Agent10000023", r"package hanabAI;"),
    "a whole project, the framework in it": (
        "students/project/src/hanabAI/State",
        r"this is not Java",
    ),
    "what else lay in the framework": ("students/project/src/hanabAI/Hanabi", r"new State\(names"),
    "an example beside the agent": ("students/project/src/agents/BasicAgent", r"\bBasicAgent\b"),
    "a byte order mark": ("students/project/src/agents/BasicAgent", "\ufeff"),
    "letters that are not UTF-8, line ends of Windows": (_BY_SAMPLES, "caf\xe9.*\r\n"),
    "a method main": (_DABBLER, r"public static void main"),
    # Agent
    "Agent.toString, taken once": (_DABBLER, r'name\.equals\("Dabbler 1"\)'),
    "Agent.toString, by State.getName": (_OBSERVER, r"s\.getName\(me\)\.equals"),
    "Agent.doAction, at one's own turns only": (_OBSERVER, r"getOrder\(\) % players == me"),
    # ActionType, Colour, IllegalActionException
    "ActionType": (_LIBRARIAN, r"\[PLAY, DISCARD, HINT_COLOUR, HINT_VALUE\]"),
    "Colour, in order, by name": (_LIBRARIAN, r"\[Blue, Red, Green, White, Yellow\]"),
    "Colour.valueOf": (_LIBRARIAN, r'Colour\.valueOf\("WHITE"\) == Colour\.values\(\)\[3\]'),
    "IllegalActionException is checked, with a message": (_LIBRARIAN, r'getMessage\(\)\.equals'),
    # Card
    "new Card, refused": (_LIBRARIAN, r"IllegalArgumentException\.class, \(\) -> new Card"),
    "new Card without a colour": (_LIBRARIAN, r"new Card\(null, 2\)"),
    "Card.getColour, getValue": (_LIBRARIAN, r"getColour\(\) == Colour\.BLUE && three\.getValue"),
    "Card.getCount": (_LIBRARIAN, r"getCount\(\) == counts\[value - 1\]"),
    "Card.toString": (_LIBRARIAN, r'three\.toString\(\)\.equals\("Blue-3"\)'),
    "Card.getDeck, 50 in order": (_LIBRARIAN, r"Card\.getDeck\(\)\)\.equals"),
    "Card.shuffledDeck": (_LIBRARIAN, r"Stack<Card> shuffled = Card\.shuffledDeck\(\)"),
    "Card.equals": (_LIBRARIAN, r'"equal cards"'),
    "Card.hashCode": (_LIBRARIAN, r'"equal hashes"'),
    # Action
    "new Action with a position": (_LIBRARIAN, r'"me", ActionType\.PLAY, 4\)'),
    "new Action with a colour": (_LIBRARIAN, r"HINT_COLOUR, 1, which, Colour\.GREEN\)"),
    "new Action with a value": (_LIBRARIAN, r"HINT_VALUE, 1, which, 2\)"),
    "new Action of the wrong type": (_LIBRARIAN, r'new Action\(0, "me", ActionType\.HINT_VALUE, 2'),
    "Action.getPlayer, getType, getCard": (_LIBRARIAN, r"play\.getCard\(\) == 4"),
    "Action.getHintReceiver": (_LIBRARIAN, r"getHintReceiver\(\) == 1"),
    "Action.getHintedCards, a copy": (_LIBRARIAN, r'"and gives copies away"'),
    "Action keeps a copy": (_LIBRARIAN, r'"an action keeps a copy"'),
    "Action.getColour, getValue": (_LIBRARIAN, r"value\.getValue\(\) == 2"),
    "getters of the wrong type": (_LIBRARIAN, r"IllegalActionException\.class, play::getValue"),
    "Action.toString": (_LIBRARIAN, r'play\.toString\(\)\.contains\("me"\)'),
    # State, made by an agent
    "new State": (_SIMULATOR, r"new State\(own, deck\)"),
    "a State from a deck of one's own": (_SIMULATOR, r"Stack<Card> sortedDeck\(\)"),
    "State.nextState": (_SIMULATOR, r"state\.nextState\(Check\.move\(state"),
    "State.nextState, a discard from an empty slot": (_SIMULATOR, r'"no card is discarded"'),
    "State.nextState when observed": (_SIMULATOR, r"hidden\.nextState\("),
    "State.nextState when the game is over": (_SIMULATOR, r"over\.nextState\("),
    "State.hideHand": (_SIMULATOR, r'"another state is hidden"'),
    "State.getObserver, none": (_SIMULATOR, r"state\.getObserver\(\) == -1"),
    "State.getNextPlayer when the game is over": (_SIMULATOR, r"getNextPlayer\(\) == -1"),
    "slots are empty once the deck is": (_SIMULATOR, r'"a slot is empty once the deck is"'),
    "a strike-out scores nothing": (_SIMULATOR, r'"three strikes are nothing"'),
    "State.getPlayers, a copy": (_SIMULATOR, r'getPlayers\(\)\[0\]\.equals\("A"\)'),
    # State, as it is given
    "State.legalAction": (_SIMULATOR, r"s\.legalAction\(action\)"),
    "State.legalAction, a discard at eight": (_SIMULATOR, r"\(\) -> state\.legalAction\(discard"),
    "State.legalAction, hints are exact": (_SIMULATOR, r'"a lie"'),
    "State.legalAction, hints to oneself": (_SIMULATOR, r'"to oneself"'),
    "hints that touch nothing": (_MODERN, r"new boolean\[hand\.length\], value"),
    "State.getHand, one's own": (_OBSERVER, r'"one\'s own hand is hidden"'),
    "State.getHand, of full length": (_OBSERVER, r'"hands keep their length"'),
    "State.getHand, a copy": (_SIMULATOR, r'\[0\] != null, "hands"'),
    "State.getPreviousState, to the deal": (_HISTORIAN, r'" steps to the deal"'),
    "State.getPreviousState, null": (_HISTORIAN, r"getPreviousState\(\) != null"),
    "State.getPreviousState of old": (_OLD_TIMER, r"catch \(NullPointerException deal\)"),
    "State.getPreviousAction": (_HISTORIAN, r'"the one who acted was next"'),
    "State.getPreviousAction, null at the deal": (_HISTORIAN, r'"nobody acted before the deal"'),
    "State.getPreviousAction of a player": (_HISTORIAN, r'"whose action"'),
    "State.getPreviousAction, none": (_HISTORIAN, r"ArrayIndexOutOfBoundsException\.class"),
    "State.previousCardPlayed": (_HISTORIAN, r'peek\(\)\.equals\(card\)'),
    "State.previousCardPlayed of a hint": (_HISTORIAN, r"card == null && hints == -1"),
    "State.getDiscards, a copy": (_SIMULATOR, r'"discards"'),
    "State.getDiscards, the newest on top": (_HISTORIAN, r'"the newest discard is on top"'),
    "State.getFirework, the highest on top": (_OBSERVER, r"peek\(\)\.getValue\(\) == height"),
    "State.getHintTokens": (_HISTORIAN, r'"only a five gives a token"'),
    "State.getFuseTokens": (_HISTORIAN, r"getFuseTokens\(\) - 1"),
    "State.getObserver": (_OBSERVER, r"getObserver\(\) == me"),
    "State.getOrder": (_HISTORIAN, r'"one action at a time"'),
    "State.getFinalActionIndex": (_OBSERVER, r"last == -1 \|\| last >= s\.getOrder\(\)"),
    "State.getFinalActionIndex, everybody once more": (_SIMULATOR, r'"everybody once more"'),
    "State.getScore": (_OBSERVER, r'"the score is what was played"'),
    "State.gameOver": (_OBSERVER, r"!s\.gameOver\(\)"),
    "State.clone": (_SIMULATOR, r'"a clone"'),
    "State.toString": (_OBSERVER, r's\.toString\(\)\.contains\("Observer"\)'),
    "seat 0 begins": (_HISTORIAN, r'"seat 0 begins"'),
    "drawn cards take the place of those that left": (_HISTORIAN, r'"others stay"'),
    "no accessor for the deck": (_BY_SAMPLES, r"Model\.of\(s, beliefs\)"),
    # Java
    "records, lambdas, streams": (_MODERN, r"private record Wish"),
    "sealed interfaces, switches, var": (_BY_SAMPLES, r"sealed interface Move.*record Play"),
    "text blocks": (_DABBLER, r'"""'),
    "generic classes": (_BY_SAMPLES, r"class Memo<K, V>"),
    "inner classes and enums": (_BY_RULES, r"class Suggestion implements.*"),
    "labels and old loops": (_BY_RULES, r"outer:"),
    "static caches": (_BY_RULES, r"private static HashMap<String, Integer>"),
    "Random": (_MODERN, r"new Random\(7\)"),
    "Scanner": (_DABBLER, r"!scanner\.hasNext\(\)"),
    "clocks": (_BY_SAMPLES, r"System\.nanoTime\(\) < deadline"),
    "parallel streams": (_DABBLER, r"\.parallel\(\)"),
    "printing": (_OBSERVER, r"System\.out\.println\("),
    # What the course forbids, and what is refused
    "threads": ("faulty/StartsThread", r"\.start\(\)"),
    "files": ("faulty/Contained", r"java\.(io|nio\.file)"),
    "an exception": ("faulty/Throws", r"toString\(\)"),
    "null for an action": ("faulty/ReturnsNull", r"return null"),
    "a discard at eight tokens": ("faulty/DiscardsAtEight", r"DISCARD"),
}  # fmt: skip
"""Everything that the interface has, the agent that covers it, and where it looks."""


def sources() -> dict[str, str]:
    """By path, without the ending."""
    paths = [path for folder in FOLDERS for path in (HERE / folder).rglob("*.java")]
    return {
        path.relative_to(HERE).with_suffix("").as_posix(): path.read_bytes().decode("latin-1")
        if b"\xe9" in path.read_bytes()
        else path.read_bytes().decode()
        for path in paths
    }


@pytest.mark.parametrize("what", COVERS)
def test_a_peculiarity_is_covered(what: str) -> None:
    agent, where = COVERS[what]
    assert re.search(where, sources()[agent], re.DOTALL), f"{agent} no longer covers: {what}"


def test_every_agent_covers_something() -> None:
    used = {agent for agent, _ in COVERS.values()}
    for name in sources():
        helps = name.endswith(("Check", "Belief", "Model"))
        assert name in used or helps or name.startswith("faulty/"), name


@pytest.mark.parametrize("owner", ["Action", "ActionType", "Agent", "Card", "Colour", "State"])
def test_every_public_method_is_called_by_agents(owner: str) -> None:
    text = (PACKAGE / f"{owner}.java").read_text()
    methods = set(re.findall(r"^    public [\w<>\[\] ]*?(\w+)\(", text, re.MULTILINE)) - {owner}
    used = "\n".join(sources().values())
    assert [name for name in methods if not re.search(rf"(\.|::){name}\b", used)] == []

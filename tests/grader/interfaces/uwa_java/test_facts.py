"""What an agent can see of the course's classes, expression by expression, as the course has it."""

from typing import Final

import pytest

from tests.grader.interfaces.outcomes import played
from tests.grader.interfaces.uwa_java.playing import asked, told
from tests.support.archives import archive

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

ILLEGAL: Final = "IllegalActionException: "
BOUNDS: Final = "ArrayIndexOutOfBoundsException"
START: Final = (
    "State: 0\nLast move: null\nPlayers' hands:\n"
    "A (0): Yellow-5 Yellow-4 Yellow-4 Yellow-3 Yellow-3 \n"
    "B (1): Yellow-2 Yellow-2 Yellow-1 Yellow-1 Yellow-1 \n"
    "Fireworks:\nBlue  -\nRed  -\nGreen  -\nWhite  -\nYellow  -\nHints: 8\nFuse: 3\n"
)
FACTS: Final[dict[str, str]] = {
    # Colours, types, cards.
    "Arrays.toString(Colour.values())": "[Blue, Red, Green, White, Yellow]",
    "Colour.BLUE.name()": "BLUE",
    'Colour.valueOf("WHITE") == Colour.values()[3]': "true",
    "Arrays.toString(ActionType.values())": "[PLAY, DISCARD, HINT_COLOUR, HINT_VALUE]",
    "new Card(Colour.BLUE, 3)": "Blue-3",
    "new Card(Colour.RED, 2).hashCode()": "7",
    "new Card(Colour.YELLOW, 5).hashCode()": "25",
    "new Card(Colour.RED, 2).equals(new Card(Colour.RED, 2))": "true",
    "new Card(Colour.RED, 2).equals(new Card(Colour.RED, 3))": "false",
    "new Card(Colour.RED, 2).equals(null)": "false",
    "new Card(Colour.RED, 0)": "IllegalArgumentException",
    "new Card(Colour.RED, 6)": "IllegalArgumentException",
    "new Card(Colour.RED, 1).getCount()": "3",
    "new Card(Colour.RED, 2).getCount()": "2",
    "new Card(Colour.RED, 3).getCount()": "2",
    "new Card(Colour.RED, 4).getCount()": "2",
    "new Card(Colour.RED, 5).getCount()": "1",
    "Card.getDeck().length": "50",
    "new Card(null, 2)": "null-2",
    "new Card(null, 2).equals(new Card(null, 2))": "true",
    "new Card(null, 2).equals(new Card(Colour.BLUE, 2))": "false",
    "new HashSet<>(Arrays.asList(new Card(null, 2), new Card(null, 2))).size()": "1",
    "new HashSet<>(Arrays.asList(Card.getDeck())).size()": "25",
    "Arrays.toString(Arrays.copyOf(Card.getDeck(), 11))":
        "[Blue-1, Blue-1, Blue-1, Blue-2, Blue-2, Blue-3, Blue-3, Blue-4, Blue-4, Blue-5, Red-1]",
    "Card.getDeck()[49]": "Yellow-5",
    "Card.getDeck()[7] == Card.getDeck()[7]": "true",
    "Card.shuffledDeck().equals(sorted())": "false",
    "Card.shuffledDeck().containsAll(sorted())": "true",
    "Card.shuffledDeck().size()": "50",
    # Actions.
    'new IllegalActionException("why").getMessage()': "why",
    "play(0, 2)": "Player A(0) plays the card at position 2",
    "discard(1, 0)": "Player A(1) discards the card at position 0",
    "colour(1, true, Colour.RED)":
        'Player A(0) gives the hint: "Player 1, cards at positions 0 2 have colour Red"',
    "value(1, true, 3)":
        'Player A(0) gives the hint: "Player 1, cards at positions 0 2 have value 3"',
    'new Action(0, "A", ActionType.HINT_VALUE, 1, new boolean[] {true}, 3)':
        'Player A(0) gives the hint: "Player 1, cards at position 0 have value 3"',
    "value(1, false, 0)": 'Player A(0) gives the hint: "Player 1, cards at positions have value 0"',
    'new Action(0, "A", ActionType.HINT_VALUE, 2)': ILLEGAL + "Wrong parameters for action type",
    'new Action(0, "A", ActionType.PLAY, 1, new boolean[5], 2)':
        ILLEGAL + "Wrong parameters for action type",
    'new Action(0, "A", ActionType.PLAY, 1, new boolean[5], Colour.RED)':
        ILLEGAL + "Wrong parameters for action type",
    "play(0, 2).getCard()": "2",
    "play(0, 2).getPlayer()": "0",
    "play(0, 2).getType()": "PLAY",
    "play(0, 2).getHintReceiver()": ILLEGAL + "Action is not a hint",
    "play(0, 2).getHintedCards()": ILLEGAL + "Action is not a hint",
    "value(1, true, 3).getCard()": ILLEGAL + "Card is not defined",
    "value(1, true, 3).getColour()": ILLEGAL + "Action is not a colour hint",
    "colour(1, true, Colour.RED).getValue()": ILLEGAL + "Action is not a value hint",
    "value(1, true, 3).getHintReceiver()": "1",
    "value(1, true, 3).getValue()": "3",
    "value(1, true, 99).getValue()": "99",
    "colour(1, false, null).getColour()": "null",
    "play(0, 2).equals(play(0, 2))": "false",
    "keepsItsArray()": "true",
    'new Action(0, "A", ActionType.HINT_VALUE, 1, null, 2).getHintedCards()':
        "NullPointerException",
    # States.
    "start()": START,
    'new State(new String[] {"A"}, sorted())': "IllegalArgumentException",
    "new State(new String[6], sorted())": "IllegalArgumentException",
    'new State(new String[] {"A", "B"}, new Stack<Card>())': "IllegalArgumentException",
    "deckAfterDeal()": "40",
    "start().getHintTokens()": "8",
    "start().getFuseTokens()": "3",
    "start().getObserver()": "-1",
    "start().getNextPlayer()": "0",
    "start().getOrder()": "0",
    "start().getFinalActionIndex()": "-1",
    "start().getScore()": "0",
    "start().gameOver()": "false",
    "start().getPreviousState()": "null",
    "start().getPreviousAction()": "null",
    "start().previousCardPlayed()": "null",
    "start().getPreviousAction(0)": f"{BOUNDS}: Player has not played yet",
    "start().getName(1)": "B",
    "start().getName(2)": BOUNDS,
    "start().getHand(2)": BOUNDS,
    "start().getHand(0)[0] == Card.getDeck()[49]": "true",
    "start().getDiscards()": "[]",
    "start().getFirework(Colour.RED)": "[]",
    "start().equals(start())": "false",
    "start().hideHand(0).getHand(0).length": "5",
    "start().hideHand(0).getHand(0)[0]": "null",
    "start().hideHand(0).getHand(1)[0]": "Yellow-2",
    "start().hideHand(0).getObserver()": "0",
    "start().hideHand(-1)": "IllegalActionException",
    "start().hideHand(2)": "IllegalActionException",
    "start().hideHand(0).hideHand(1)": "IllegalActionException",
    "start().hideHand(0)": START.replace(
        "Yellow-5 Yellow-4 Yellow-4 Yellow-3 Yellow-3 ", "-         " * 5
    ),
    # What is legal.
    "start().legalAction(null)": "IllegalActionException",
    "start().legalAction(play(1, 0))": "false",
    "start().hideHand(0).legalAction(play(1, 0))": "IllegalActionException",
    "start().legalAction(play(0, 4))": "true",
    "start().legalAction(play(0, 5))": "false",
    "start().legalAction(play(0, -1))": "false",
    "start().legalAction(discard(0, 0))": "IllegalActionException",
    "start().legalAction(value(0, false, 1))": "false",
    "start().legalAction(value(-1, false, 1))": "false",
    "start().legalAction(value(2, false, 1))": BOUNDS,
    "start().legalAction(value(3, false, 1))": "false",
    "start().legalAction(value(1, false, 5))": "true",
    "start().legalAction(value(1, false, 0))": "true",
    "start().legalAction(value(1, false, 6))": "true",
    "start().legalAction(value(1, false, -1))": "true",
    "start().legalAction(value(1, false, 99))": "true",
    "start().legalAction(value(1, true, 99))": "false",
    "start().legalAction(value(1, false, 1))": "false",
    "start().legalAction(colour(1, false, null))": "true",
    "start().legalAction(colour(1, false, Colour.RED))": "true",
    "start().legalAction(colour(1, false, Colour.YELLOW))": "false",
    # What follows an action.
    "start().nextState(play(0, 9), sorted())": ILLEGAL + "Invalid action!: "
        "Player A(0) plays the card at position 9",
    "start().hideHand(0).nextState(play(0, 0), sorted())": ILLEGAL + "Next state unavailable!",
    "played().getOrder()": "1",
    "played().getFuseTokens()": "2",
    "played().getDiscards()": "[Yellow-5]",
    "played().getDiscards().peek() == Card.getDeck()[49]": "true",
    "played().previousCardPlayed() == Card.getDeck()[49]": "true",
    "played().getPreviousAction()": "Player A(0) plays the card at position 0",
    "played().getPreviousAction(0) == played().getPreviousAction(0)": "false",
    "played().getPreviousAction(1)": BOUNDS,
    "played().getNextPlayer()": "1",
    "played().getPreviousState().getOrder()": "0",
    "played().hideHand(1).getPreviousState().getObserver()": "1",
    "played().getHand(0)[0]": "White-5",
    "hinted(0).getPreviousAction().getValue()": "0",
    "hinted(0).getHintTokens()": "7",
    "hinted(0).previousCardPlayed()": "null",
    # A game of one's own.
    "new Hanabi(new Agent[1])": "IllegalArgumentException",
    "new Hanabi(new Agent[6])": "IllegalArgumentException",
    'Hanabi.critique(25).endsWith("\\n")': "true",
    "Hanabi.critique(0).equals(Hanabi.critique(1))": "false",
    "Hanabi.critique(1).equals(Hanabi.critique(5))": "true",
    "Hanabi.critique(5).equals(Hanabi.critique(6))": "false",
    "Hanabi.critique(20).equals(Hanabi.critique(21))": "false",
    "Hanabi.critique(24).equals(Hanabi.critique(25))": "false",
    'game(false).startsWith("State: 0\\nLast move: null\\n")': "true",
    "game(true)": "-1",
}  # fmt: skip
"""Java expressions, and what they print: a value, or an exception and its message."""

AGENT: Final = """
package agents;
import hanabAI.*;
import java.util.*;

public class Agent30000001 implements Agent {
    interface Fact { Object get() throws Exception; }

    static Stack<Card> sorted() {
        Stack<Card> deck = new Stack<>();
        deck.addAll(Arrays.asList(Card.getDeck()));
        return deck;
    }
    static State start() { return new State(new String[] {"A", "B"}, sorted()); }
    static int deckAfterDeal() {
        Stack<Card> deck = sorted();
        new State(new String[] {"A", "B"}, deck);
        return deck.size();
    }
    static Action play(int player, int at) throws IllegalActionException {
        return new Action(player, "A", ActionType.PLAY, at);
    }
    static Action discard(int player, int at) throws IllegalActionException {
        return new Action(player, "A", ActionType.DISCARD, at);
    }
    static boolean[] some(boolean any) { return new boolean[] {any, false, any, false, false}; }
    static Action value(int to, boolean any, int value) throws IllegalActionException {
        return new Action(0, "A", ActionType.HINT_VALUE, to, some(any), value);
    }
    static Action colour(int to, boolean any, Colour colour) throws IllegalActionException {
        return new Action(0, "A", ActionType.HINT_COLOUR, to, some(any), colour);
    }
    static boolean keepsItsArray() throws IllegalActionException {
        boolean[] cards = new boolean[5];
        Action action = new Action(0, "A", ActionType.HINT_VALUE, 1, cards, 2);
        cards[3] = true;
        action.getHintedCards()[0] = true;
        return action.getHintedCards()[3] && !action.getHintedCards()[0];
    }
    static State played() throws IllegalActionException {
        Stack<Card> deck = sorted();
        State state = new State(new String[] {"A", "B"}, deck);
        return state.nextState(play(0, 0), deck);
    }
    static State hinted(int value) throws IllegalActionException {
        return start().nextState(value(1, false, value), sorted());
    }
    static String game(boolean cheats) {
        StringBuffer log = new StringBuffer();
        Agent30000001 careful = new Agent30000001();
        careful.checked = true;
        Agent other = cheats ? state -> null : careful;
        int score = new Hanabi(new Agent[] {careful, other}).play(log);
        return cheats ? "" + score : log.toString();
    }

    static void check(String what, String expected, Fact fact) {
        String got;
        try {
            got = String.valueOf(fact.get());
        } catch (Exception error) {
            got = error.getClass().getSimpleName();
            boolean says = expected.startsWith(got + ": ");
            got = says ? got + ": " + error.getMessage() : got;
        }
        if (!got.equals(expected)) {
            System.err.println("DIFFERS: " + what + " is " + got + ", not " + expected);
        }
    }

    static void facts() {
FACTS
    }

    @Override
    public Action doAction(State state) {
        try {
            if (state.getOrder() == 0 && state.getObserver() == 0 && !checked) {
                checked = true;
                facts();
                throw new IllegalStateException("END OF FACTS");
            }
            int me = state.getNextPlayer();
            return state.getHintTokens() == 8 ? play(me, 0) : discard(me, 0);
        } catch (IllegalActionException error) {
            throw new RuntimeException(error);
        }
    }

    boolean checked;
}
"""


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def test_every_expression_has_the_value_that_it_has_in_the_course() -> None:
    checks = "\n".join(
        f"        check({quoted(what)}, {quoted(expected)}, () -> {what});"
        for what, expected in FACTS.items()
    )
    source = AGENT.replace("FACTS\n", checks + "\n")
    (said,) = told(played(asked(2, 1), [archive({"Agent30000001.java": source})]))
    assert "END OF FACTS" in said
    assert [line for line in said.splitlines() if "DIFFERS" in line] == []
    print(f"{len(FACTS)} expressions compared")

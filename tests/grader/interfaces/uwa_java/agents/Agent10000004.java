package agents;

import hanabAI.*;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The amnesiac: what it leaves in statics and settings must be gone in the next game. */
public class Agent10000004 implements Agent {
    static int games;
    static final Map<String, Object> MEMORY = new HashMap<>();
    private final Notes notes = new Notes();

    public Agent10000004() {
        games++;
        Check.that(games == 1, "game " + games + " of these classes");
        Check.that(MEMORY.isEmpty() && notes.turns == 0, "an empty memory");
        Check.that(System.getProperty("agents.memory") == null, "no property is left");
        Check.that(!Locale.getDefault().equals(Locale.CHINA), "no locale is left");
        Check.that(!Thread.currentThread().getName().equals("agents.memory"), "no name is left");
        System.setProperty("agents.memory", "here");
        Locale.setDefault(Locale.CHINA);
        Thread.currentThread().setName("agents.memory");
        System.setOut(System.err);
    }

    public String toString() {
        return "Amnesiac " + games;
    }

    public Action doAction(State s) throws RuntimeException {
        notes.turns++;
        MEMORY.put("turn " + notes.turns, s);
        try {
            return Check.move(s, toString());
        } catch (IllegalActionException error) {
            throw new RuntimeException(error);
        }
    }
}

/** A second class in the same file. */
class Notes {
    int turns;
}

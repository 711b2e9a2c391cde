/*
 * Leaves a note among the strings that the machine keeps.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class InternedStrings extends Hostile {
    private static String word(int number) {
        return new StringBuilder("agents.note.").append(number).toString();
    }

    @Override
    protected Action look(State state) throws Throwable {
        for (int i = 0; i < 100; i++) {
            String word = word(i);
            if (word.intern() != word) {
                escaped("a word of an earlier game");
            }
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        for (int i = 0; i < 100; i++) {
            word(i).intern();
        }
        return null;
    }
}

/*
 * Keeps a note in the fields of what started it.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.lang.reflect.Field;
import java.util.Properties;

public class ChangesTheLauncher extends Hostile {
    private static Class<?> boot() throws ClassNotFoundException {
        return Class.forName("firebox.boot.Boot");
    }

    @Override
    protected Action look(State state) {
        if (System.getProperty("agents.note") != null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        for (Field field : boot().getDeclaredFields()) {
            if (field.getType() == Properties.class) {
                field.setAccessible(true);
                ((Properties) field.get(null)).setProperty("agents.note", "x");
            }
        }
        return null;
    }
}

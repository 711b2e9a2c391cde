/*
 * Leaves a note where the library looks for descriptions of classes.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.beans.Introspector;
import java.beans.PropertyEditorManager;

public class Introspection extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (Introspector.getBeanInfoSearchPath()[0].equals("agents.note")) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Introspector.setBeanInfoSearchPath(new String[] {"agents.note"});
        PropertyEditorManager.registerEditor(int.class, Introspection.class);
        return null;
    }
}

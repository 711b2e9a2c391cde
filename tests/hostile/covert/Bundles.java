/*
 * Leaves a note in the cache of translations, and in that of readers of images.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.beans.Introspector;
import javax.imageio.ImageIO;

public class Bundles extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (!ImageIO.getUseCache()
                || Introspector.getBeanInfoSearchPath()[0].equals("agents.note")) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        ImageIO.setUseCache(false);
        Introspector.setBeanInfoSearchPath(new String[] {"agents.note"});
        return null;
    }
}

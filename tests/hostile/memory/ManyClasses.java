/*
 * Makes classes until the machine has no room for them.
 *
 * Limits: turn_seconds=20.0 turn_wall_seconds=40.0
 * Verdict: memory
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

public class ManyClasses extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        List<Object> kept = new ArrayList<>();
        while (true) {
            ClassLoader loader = new ClassLoader(Hostile.class.getClassLoader()) {};
            kept.add(Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (a, b, c) -> null));
        }
    }
}

/*
 * Opens private parts of the library.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;

public class OpensTheLibrary extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        refused("a string", () -> {
            Field value = String.class.getDeclaredField("value");
            value.setAccessible(true);
            return value.get("x");
        });
        refused("small numbers", () -> {
            Field cache = Class.forName("java.lang.Integer$IntegerCache").getDeclaredField("cache");
            cache.setAccessible(true);
            return cache.get(null);
        });
        refused("the thread", () -> {
            Field locals = Thread.class.getDeclaredField("threadLocals");
            locals.setAccessible(true);
            return locals.get(Thread.currentThread());
        });
        refused("a lookup", () -> MethodHandles.privateLookupIn(System.class, MethodHandles.lookup()));
        refused("opening a module", () -> {
            Object.class.getModule().addOpens("java.lang", Hostile.class.getModule());
            return "opened";
        });
        return null;
    }
}

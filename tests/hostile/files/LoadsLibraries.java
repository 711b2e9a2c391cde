/*
 * Loads machine code.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.lang.reflect.Field;

public class LoadsLibraries extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        String home = System.getProperty("java.home");
        for (String name : new String[] {"/lib/libjava.so", "/lib/libawt.so", "/lib/server/libjvm.so"}) {
            refused(name, () -> {
                System.load(home + name);
                return name;
            });
        }
        for (String name : new String[] {"awt", "instrument", "attach", "c"}) {
            refused(name, () -> {
                Runtime.getRuntime().loadLibrary(name);
                return name;
            });
        }
        for (String name : new String[] {"jdk.incubator.foreign.CLinker", "sun.misc.Unsafe",
                "jdk.internal.misc.Unsafe", "sun.misc.Signal"}) {
            refused(name, () -> {
                Field[] fields = Class.forName(name).getDeclaredFields();
                for (Field field : fields) {
                    field.setAccessible(true);
                }
                return Class.forName(name).getDeclaredMethod("getUnsafe").invoke(null);
            });
        }
        return null;
    }
}

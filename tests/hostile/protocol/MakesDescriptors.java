/*
 * Makes descriptors from numbers.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.Constructor;

public class MakesDescriptors extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (int number = 0; number < 64; number++) {
            int wanted = number;
            refused("descriptor " + number, () -> {
                Constructor<FileDescriptor> made = FileDescriptor.class.getDeclaredConstructor(int.class);
                made.setAccessible(true);
                new FileOutputStream(made.newInstance(wanted)).write('\n');
                return made;
            });
        }
        return null;
    }
}

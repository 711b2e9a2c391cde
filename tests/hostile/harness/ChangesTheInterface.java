/*
 * Changes what the classes of its interface keep for themselves.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.Card;
import hanabAI.Colour;
import hanabAI.State;
import java.lang.reflect.Field;
import java.util.Arrays;

public class ChangesTheInterface extends Hostile {
    @Override
    protected Action look(State state) {
        if (new Card(Colour.BLUE, 1).getCount() == 77 || Colour.values()[0] == Colour.RED) {
            escaped("changes of an earlier game are still there");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Field counts = Card.class.getDeclaredField("COUNTS");
        counts.setAccessible(true);
        Arrays.fill((int[]) counts.get(null), 77);
        for (Field field : Colour.class.getDeclaredFields()) {
            if (field.getType() == Colour[].class) {
                field.setAccessible(true);
                Arrays.fill((Colour[]) field.get(null), Colour.RED);
            }
        }
        return null;
    }
}

/*
 * Leaves a note in the machine's defaults.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.Locale;
import java.util.TimeZone;

public class Defaults extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (Locale.getDefault(Locale.Category.FORMAT).equals(Locale.JAPAN)
                || Locale.getDefault(Locale.Category.DISPLAY).equals(Locale.JAPAN)
                || TimeZone.getDefault().getID().equals("Asia/Tokyo")) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        Locale.setDefault(Locale.Category.FORMAT, Locale.JAPAN);
        Locale.setDefault(Locale.Category.DISPLAY, Locale.JAPAN);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        return null;
    }
}

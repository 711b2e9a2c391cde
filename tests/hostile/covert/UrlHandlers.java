/*
 * Leaves a note with the library's readers of addresses.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.net.URL;
import java.net.URLConnection;

public class UrlHandlers extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        try {
            URL.setURLStreamHandlerFactory(protocol -> null);
            URLConnection.setContentHandlerFactory(type -> null);
        } catch (Error error) {
            escaped("an earlier game did this");
        }
        if ("note".equals(URLConnection.guessContentTypeFromName("x"))) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        URL.setURLStreamHandlerFactory(protocol -> null);
        URLConnection.setContentHandlerFactory(type -> null);
        URLConnection.setFileNameMap(name -> "note");
        return null;
    }
}

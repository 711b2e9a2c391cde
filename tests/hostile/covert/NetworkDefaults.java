/*
 * Leaves notes in the defaults of connections that it cannot make.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.ProxySelector;

public class NetworkDefaults extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (CookieHandler.getDefault() != null || !HttpURLConnection.getFollowRedirects()
                || ProxySelector.getDefault() == null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        CookieHandler.setDefault(new CookieManager());
        HttpURLConnection.setFollowRedirects(false);
        ProxySelector.setDefault(null);
        return null;
    }
}

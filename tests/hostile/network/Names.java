/*
 * Asks for the addresses of names, and for its own.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;

public class Names extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (String name : new String[] {"example.org", "agent", "metadata"}) {
            refused(name, () -> InetAddress.getByName(name));
        }
        refused("reverse", () -> {
            String name = InetAddress.getByAddress(new byte[] {8, 8, 8, 8}).getCanonicalHostName();
            if (name.equals("8.8.8.8")) {
                throw new UnknownHostException();
            }
            return name;
        });
        refused("interfaces", () -> NetworkInterface.getNetworkInterfaces().nextElement());
        return null;
    }
}

/*
 * Opens sockets of every kind that Java has.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URL;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

public class Sockets extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (String host : new String[] {"127.0.0.1", "::1", "169.254.169.254", "192.0.2.1", "localhost"}) {
            refused("stream " + host, () -> new Socket(host, 80));
            refused("channel " + host, () -> SocketChannel.open(new InetSocketAddress(host, 80)));
            refused("page " + host, () -> new URL("http://" + host + "/").openStream());
        }
        refused("server", () -> new ServerSocket(0));
        refused("datagrams", () -> new DatagramSocket());
        refused("multicast", () -> new MulticastSocket());
        refused("channel", () -> DatagramChannel.open());
        refused("unix", () -> SocketChannel.open(UnixDomainSocketAddress.of("/run/docker.sock")));
        refused("unix server", () -> ServerSocketChannel.open(StandardProtocolFamily.UNIX));
        refused("selector", () -> Selector.open());
        refused("pipe", () -> Pipe.open());
        return null;
    }
}

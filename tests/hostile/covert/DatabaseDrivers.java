/*
 * Leaves a note among the drivers of databases.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.PrintWriter;
import java.sql.DriverManager;

public class DatabaseDrivers extends Hostile {
    @Override
    protected Action look(State state) throws Throwable {
        if (DriverManager.getLoginTimeout() == 4711 || DriverManager.getLogWriter() != null) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        DriverManager.setLoginTimeout(4711);
        DriverManager.setLogWriter(new PrintWriter(System.err));
        return null;
    }
}

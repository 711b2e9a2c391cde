/*
 * Starts programs.
 *
 * Verdict: crash
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class RunsPrograms extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        String java = System.getProperty("java.home") + "/bin/java";
        for (String program : new String[] {"/bin/sh", "/usr/bin/python3", "ls", java}) {
            refused(program, () -> Runtime.getRuntime().exec(program));
            refused(program, () -> new ProcessBuilder(program).start());
        }
        return null;
    }
}

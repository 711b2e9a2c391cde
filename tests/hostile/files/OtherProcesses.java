/*
 * Looks for other processes, and ends them.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;

public class OtherProcesses extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        try {
            if (ProcessHandle.allProcesses().count() > 1) {
                escaped("there are other processes");
            }
        } catch (RuntimeException error) {
            if (!error.getMessage().contains("No such file or directory")) {
                throw error;
            }
        }
        for (long pid = 1; pid < 100; pid++) {
            if (pid != ProcessHandle.current().pid()) {
                ProcessHandle.of(pid).ifPresent(other -> {
                    if (other.destroyForcibly()) {
                        escaped("ended " + other.pid());
                    }
                });
            }
        }
        return null;
    }
}

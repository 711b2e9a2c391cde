/*
 * Leaves a note in a pool that all programs share.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

public class SharedPool extends Hostile {
    private static ForkJoinTask<?> forkedHere;

    @Override
    protected Action look(State state) throws Throwable {
        if (forkedHere != null
                || ForkJoinPool.getCommonPoolParallelism() == 3) {
            escaped("a note of an earlier game");
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        ForkJoinTask<?> task = ForkJoinTask.adapt(() -> { });
        forkedHere = task;
        System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "3");
        return null;
    }
}

/*
 * Has a stream compute in parallel.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.stream.IntStream;

public class ParallelStream extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        long sum = IntStream.range(0, 1_000_000).parallel().asLongStream().sum();
        return sum == 0 ? honest(state) : null;
    }
}

/*
 * Computes inside the library, with numbers that grow.
 *
 * Verdict: timeout
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.math.BigInteger;

public class LargeNumbers extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        BigInteger number = BigInteger.TWO;
        while (true) {
            number = number.multiply(number).mod(BigInteger.ONE.shiftLeft(1 << 22)).add(BigInteger.TWO);
        }
    }
}

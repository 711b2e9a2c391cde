/*
 * Has a compiler try all combinations of overloaded methods in nested lambdas.
 *
 * Verdict: rejected
 */
package agents;

public class BombOfTypes extends Hostile {
    interface One<T> {
        T one();
    }

    interface Two<T> {
        T two();
    }

    static <T> T f(One<T> x) {
        return x.one();
    }

    static <T> T f(Two<T> x) {
        return x.two();
    }

    static Object bomb() {
        return f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(()
                -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() ->
                f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(()
                -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() ->
                f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(()
                -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() -> f(() ->
                f(() -> f(() -> f(() ->
                null))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
    }
}

package firebox.boot;

import java.util.Collection;

/** One seat of one game: what an adapter makes of an agent's classes. */
public interface Seat {
    /** The answer to one line from the referee, without its end; {@code null} after the last. */
    String answer(String line);

    /** Makes seats. Implemented by the class that an interface names as its adapter. */
    interface Adapter {
        /**
         * A seat played by an agent whose classes were loaded for this game alone.
         *
         * @param agent all its classes, or only the one that the submission says is to play
         * @throws Exception saying what to do, if none of the classes is an agent
         */
        Seat seat(Collection<Class<?>> agent) throws Exception;

        /** Why none of these classes can play, or which could; empty if one is the agent. */
        String complaint(Collection<Class<?>> agent);
    }
}

package firebox.boot;

import java.util.Collection;

/** One seat of one game, which an adapter makes from an agent's classes. */
public interface Seat {
    /** The answer to one line from the referee, without its end; {@code null} after the last. */
    String answer(String line);

    /** Makes seats. Implemented by the class that an interface names as its adapter. */
    interface Adapter {
        /**
         * Makes a seat for an agent whose classes were loaded for this game alone.
         *
         * @param agent all its classes, or only the one that the submission says plays
         * @throws Exception if none of the classes is an agent; its message says what to do
         */
        Seat seat(Collection<Class<?>> agent) throws Exception;

        /** The reason why none of these classes plays; empty if one does. */
        String complaint(Collection<Class<?>> agent);

        /**
         * True if the class of a file that does not compile would play instead of these.
         *
         * @param name the simple name of its file
         * @param source the text of its file
         */
        boolean isPreferred(String name, CharSequence source, Collection<Class<?>> agent);
    }
}

package hanabAI;

/** How versions of the course's framework differ. */
final class FireboxLegacy {
    private static boolean firstStateThrows;

    private FireboxLegacy() {}

    /** Until October 2018 the state before the first could not be asked for. */
    static boolean firstStateThrows() {
        return firstStateThrows;
    }

    static void setFirstStateThrows(boolean throwing) {
        firstStateThrows = throwing;
    }
}

package firebox.boot;

/**
 * Starts as a seat does and compiles what it is given, for the build of the image to note which
 * classes that loads. It does not stay in the image.
 */
public final class Rehearsal {
    private Rehearsal() {}

    /** The arguments are a folder of sources and an empty folder. */
    public static void main(String[] arguments) throws Exception {
        Boot.warmUp("00", "");
        Boot.build(arguments[0], arguments[1]);
    }
}

package firebox.boot;

/**
 * Starts as a seat does and compiles sources, so that the image's build can record which classes
 * are loaded. The image does not contain it.
 */
public final class ClassLoadingRun {
    private ClassLoadingRun() {}

    /** The arguments are a folder of sources and an empty folder. */
    public static void main(String[] arguments) throws Exception {
        Boot.warmUp("00", "");
        Boot.build(arguments[0], arguments[1]);
    }
}

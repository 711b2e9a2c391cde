package firebox.boot;

public class Spy {
    public static Object look() {
        return new Classes(null, null);
    }
}

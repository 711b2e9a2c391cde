/*
 * Puts a class into a package of the library.
 *
 * Verdict: rejected
 */
package java.lang;

public class LibraryPackage {
    public static Object note;
}

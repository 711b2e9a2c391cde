package firebox.boot;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether an agent can leave data for its next game, by every method and field of the
 * library that its compiled classes name.
 *
 * <p>A machine plays several games only for agents that name nothing but what is listed here:
 * classes that only compute, and state that {@link Boot} resets between games. Any other agent has
 * a fresh machine for each game. So a missing entry only costs time, but a listed class must never
 * keep anything for a later game.
 */
final class Reach {
    private static final Set<String> PACKAGES = Set.of(
            "hanabAI", "java/math", "java/text", "java/time", "java/time/format",
            "java/time/temporal", "java/util/concurrent/atomic", "java/util/function",
            "java/util/regex", "java/util/stream");

    /** Classes of other packages that keep nothing, whatever member is used. */
    private static final Map<String, Set<String>> CLASSES = Map.of(
            "java/lang", Set.of(
                    "AutoCloseable", "Boolean", "Byte", "CharSequence", "Character", "Cloneable",
                    "Comparable", "Double", "Enum", "Float", "Integer", "Iterable", "Long", "Math",
                    "Number", "Object", "Record", "Runnable", "Short", "StackTraceElement",
                    "StrictMath", "StringBuffer", "StringBuilder"),
            "java/lang/invoke", Set.of("LambdaMetafactory", "StringConcatFactory"),
            "java/lang/runtime", Set.of("ObjectMethods"),
            "java/io", Set.of(
                    "BufferedReader", "BufferedWriter", "ByteArrayInputStream",
                    "ByteArrayOutputStream", "Closeable", "InputStream", "InputStreamReader",
                    "OutputStream", "PrintStream", "PrintWriter", "Reader", "StringReader",
                    "StringWriter", "Writer"),
            "java/nio/charset", Set.of("Charset", "StandardCharsets"),
            "java/util/concurrent", Set.of(
                    "ArrayBlockingQueue", "Callable", "ConcurrentHashMap", "ConcurrentLinkedDeque",
                    "ConcurrentLinkedQueue", "ConcurrentMap", "ConcurrentSkipListMap",
                    "ConcurrentSkipListSet", "CopyOnWriteArrayList", "CopyOnWriteArraySet",
                    "LinkedBlockingDeque", "LinkedBlockingQueue", "PriorityBlockingQueue",
                    "ThreadLocalRandom", "TimeUnit"),
            "java/util/concurrent/locks", Set.of(
                    "Condition", "Lock", "ReadWriteLock", "ReentrantLock",
                    "ReentrantReadWriteLock", "StampedLock"));

    private static final Map<String, Set<String>> MEMBERS = Map.of(
            "java/lang/Class", Set.of(
                    "cast", "desiredAssertionStatus", "equals", "getCanonicalName",
                    "getEnumConstants", "getName", "getSimpleName", "getTypeName", "hashCode",
                    "isAssignableFrom", "isInstance", "toString"),
            "java/lang/System", Set.of(
                    "arraycopy", "clearProperty", "currentTimeMillis", "err", "exit", "gc",
                    "getProperties", "getProperty", "getenv", "identityHashCode", "in",
                    "lineSeparator", "nanoTime", "out", "setErr", "setIn", "setOut", "setProperty"),
            "java/lang/Thread", Set.of(
                    "currentThread", "getName", "interrupt", "interrupted", "isInterrupted",
                    "onSpinWait", "setName", "sleep", "yield"));

    /**
     * Classes of {@code java.util} that keep something or start threads, and those that inherit
     * their static methods: a call by the name of a subclass names only that.
     */
    private static final Set<String> NOT_OF_UTIL = Set.of(
            "ListResourceBundle", "PropertyResourceBundle", "ResourceBundle", "ServiceLoader",
            "Timer", "TimerTask");

    /** Packages of Firebox and of the JSON library; agents cannot define classes in them. */
    private static final List<String> RESERVED = List.of("firebox.", "com.google.gson.");

    private Reach() {}

    /**
     * True if the agent's classes name only what is listed. A class of the agent that has the name
     * of a class of ours or of Java is never loaded: its name means the other one.
     */
    static boolean isNarrow(Artefact code) throws IOException {
        Set<String> own = code.agent.keySet();
        for (Map.Entry<String, byte[]> one : code.agent.entrySet()) {
            String name = one.getKey();
            if (isReserved(name) || code.adapter.containsKey(name) || isElsewhere(name)
                    || !isNarrow(one.getValue(), own)) {
                return false;
            }
        }
        return true;
    }

    /** True if agents cannot define a class of this name. */
    static boolean isReserved(String name) {
        return RESERVED.stream().anyMatch(name::startsWith);
    }

    /** True if the launcher or Java has a class of this name, which is then loaded instead. */
    private static boolean isElsewhere(String name) {
        try {
            Class.forName(name, false, Reach.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException error) {
            return false;
        } catch (LinkageError error) {
            return true;
        }
    }

    /** Reads the constant pool of a class file: its code can name nothing else (JVMS 4.4). */
    private static boolean isNarrow(byte[] code, Set<String> own) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
        in.skipBytes(8);
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] first = new int[count];
        int[] second = new int[count];
        boolean[] isMember = new boolean[count];
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1:
                    texts[i] = in.readUTF();
                    break;
                case 3: case 4:
                    in.readInt();
                    break;
                case 5: case 6:
                    in.readLong();
                    i++;
                    break;
                case 7: case 8: case 16: case 19: case 20:
                    first[i] = in.readUnsignedShort();
                    break;
                case 9: case 10: case 11: case 12: case 17: case 18:
                    first[i] = in.readUnsignedShort();
                    second[i] = in.readUnsignedShort();
                    isMember[i] = tag <= 11;
                    break;
                case 15:
                    in.readUnsignedByte();
                    in.readUnsignedShort();
                    break;
                default:
                    return false;
            }
        }
        for (int i = 1; i < count; i++) {
            if (isMember[i] && !isListed(texts[first[first[i]]], texts[first[second[i]]], own)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isListed(String owner, String member, Set<String> own) {
        if (owner.startsWith("[") || own.contains(owner.replace('/', '.'))) {
            return true;
        }
        int end = owner.lastIndexOf('/');
        String of = owner.substring(0, Math.max(end, 0));
        String name = owner.substring(end + 1);
        String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
        if (name.endsWith("Exception") || name.endsWith("Error") || name.equals("Throwable")) {
            return of.equals("java/lang") || of.equals("java/util") || of.equals("java/io")
                    || PACKAGES.contains(of);
        }
        if (owner.equals("java/lang/String")) {
            return !member.equals("intern");
        }
        if (of.equals("java/util")) {
            return !NOT_OF_UTIL.contains(outer);
        }
        return PACKAGES.contains(of)
                || CLASSES.getOrDefault(of, Set.of()).contains(outer)
                || MEMBERS.getOrDefault(owner, Set.of()).contains(member);
    }
}

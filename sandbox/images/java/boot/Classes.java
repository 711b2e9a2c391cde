package firebox.boot;

import java.security.ProtectionDomain;
import java.util.Map;

/** Defines classes from memory, and nothing else but what its parent knows. */
final class Classes extends ClassLoader {
    private final Map<String, byte[]> code;

    Classes(ClassLoader parent, Map<String, byte[]> code) {
        super(parent);
        this.code = code;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = code.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length, (ProtectionDomain) null);
    }
}

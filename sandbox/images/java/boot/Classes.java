package firebox.boot;

import java.security.ProtectionDomain;
import java.util.Map;

/** Loads classes from memory; all others come from its parent. */
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

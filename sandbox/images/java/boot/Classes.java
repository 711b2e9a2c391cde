package firebox.boot;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Loads classes from memory, and resources from folders; all others come from its parent.
 */
final class Classes extends ClassLoader {
    private final Map<String, byte[]> code;
    private final Collection<String> folders;

    Classes(ClassLoader parent, Map<String, byte[]> code) {
        this(parent, code, List.of());
    }

    Classes(ClassLoader parent, Map<String, byte[]> code, Collection<String> folders) {
        super(parent);
        this.code = code;
        this.folders = folders;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = code.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length, (ProtectionDomain) null);
    }

    @Override
    protected URL findResource(String name) {
        for (String folder : folders) {
            File file = new File(folder, name);
            if (file.exists()) {
                try {
                    return file.toURI().toURL();
                } catch (MalformedURLException error) {
                    throw new IllegalStateException(error);
                }
            }
        }
        return null;
    }
}

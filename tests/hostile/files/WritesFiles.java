/*
 * Writes files, links and directories.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.File;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

public class WritesFiles extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        for (String name : new String[] {"/tmp/x", "/dev/shm/x", "x", "/x", "/usr/lib/java/x", "/dev/null"}) {
            Path path = Path.of(name);
            refused("stream " + name, () -> {
                new FileOutputStream(name).write(1);
                return name;
            });
            refused("random " + name, () -> new RandomAccessFile(name, "rw"));
            refused("bytes " + name, () -> Files.write(path, new byte[1]));
            refused("directory " + name, () -> Files.createDirectory(path));
            refused("link " + name, () -> Files.createSymbolicLink(path, Path.of("/etc/passwd")));
            refused("remove " + name, () -> {
                Files.delete(path);
                return name;
            });
        }
        refused("temporary", () -> File.createTempFile("abc", "def"));
        refused("temporary", () -> Files.createTempFile("abc", "def"));
        return null;
    }
}

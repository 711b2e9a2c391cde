/*
 * Reads files and lists directories, in all the ways that the library has.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.io.File;
import java.io.FileInputStream;
import java.io.RandomAccessFile;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;

public class ReadsFiles extends Hostile {
    private static final String[] NAMES = {
        "/etc/passwd", "/proc/self/maps", "/proc/self/environ", "/proc/self/mem", "/proc/1/environ",
        "/proc/1/root/etc/passwd", "/opt/firebox/sandbox/inside/supervisor.py", "/opt/firebox",
        "/run/docker.sock", "/sys/kernel/mm", "/dev/urandom", "/dev/shm", "/tmp", "/build/artefact",
        "/usr/lib", "/usr/lib/java/lib/modules", "../usr/lib/java/boot.jar", "/nothing", "/adapter",
        "/agent/../usr/lib", "../../inner", "/../usr", "/inner", "/etc/localtime", "/etc/hosts",
    };
    private static final String[] FOLDERS = {"/", "..", "../..", "/agent/.."};

    @Override
    protected Action attack(State state) throws Throwable {
        for (String name : NAMES) {
            Path path = Path.of(name);
            refused("stream " + name, () -> new FileInputStream(name).read());
            refused("random " + name, () -> new RandomAccessFile(name, "r").read());
            refused("bytes " + name, () -> Files.readAllBytes(path));
            refused("list " + name, () -> Files.list(path).count());
            refused("walk " + name, () -> Files.walk(path).count());
            refused("channel " + name, () -> FileChannel.open(path).size());
            refused("attributes " + name, () -> Files.getLastModifiedTime(path));
            refused("url " + name, () -> new URL("file:" + name).openStream().read());
            refused("zip " + name, () -> new ZipFile(name).size());
            if (new File(name).exists() || new File(name).list() != null || Files.exists(path)) {
                escaped(name + " is there");
            }
        }
        for (String name : FOLDERS) {
            refused("list " + name, () -> Files.list(Path.of(name)).count());
            refused("bytes " + name, () -> Files.readAllBytes(Path.of(name)));
            refused("make in " + name, () -> Files.createFile(Path.of(name, "new")));
        }
        return null;
    }
}

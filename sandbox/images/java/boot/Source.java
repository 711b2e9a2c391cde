package firebox.boot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/**
 * One source file. A file that is not in UTF-8 is read as Latin-1, which changes no letter outside
 * of comments and strings. A byte order mark is removed. The compiler alone would refuse both.
 */
final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Path path) throws IOException {
        super(path.toUri(), Kind.SOURCE);
        text = decoded(Files.readAllBytes(path));
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }

    /** True if the file declares this package. */
    boolean isOf(String packageName) {
        return Pattern.compile("^\\s*package\\s+" + Pattern.quote(packageName) + "\\s*;",
                Pattern.MULTILINE).matcher(text).find();
    }

    private static String decoded(byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }
}

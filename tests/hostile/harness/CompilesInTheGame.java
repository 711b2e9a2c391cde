/*
 * Compiles a program while it plays.
 *
 * Limits: turn_seconds=2.0 turn_wall_seconds=4.0
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

public class CompilesInTheGame extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        refused("a compiler\'s files", () -> {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            if (compiler == null) {
                throw new ClassNotFoundException();
            }
            return compiler.getStandardFileManager(null, null, null).list(
                    StandardLocation.PLATFORM_CLASS_PATH, "java.lang",
                    Set.of(JavaFileObject.Kind.CLASS), false).iterator().next();
        });
        return null;
    }
}

/*
 * Has the compiler, which is there, look at the library while it plays.
 *
 * Limits: turn_seconds=2.0 turn_wall_seconds=4.0
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.State;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileManager.Location;
import javax.tools.JavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

public class CompilesInTheGame extends Hostile {
    @Override
    protected Action attack(State state) throws Throwable {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileManager files = compiler.getStandardFileManager(null, null, null);
        for (Location place : StandardLocation.values()) {
            for (JavaFileObject.Kind kind : JavaFileObject.Kind.values()) {
                if (!place.isModuleOrientedLocation()
                        && files.list(place, "java.lang", Set.of(kind), true).iterator().hasNext()) {
                    escaped("files of " + place);
                }
            }
        }
        return null;
    }
}

package student.project.hanabi;

import hanabAI.*;
import student.project.hanabi.helpers.Chooser;

/** In a package of its own choice, with a helper in another one. */
public class Agent10000022 implements Agent {
    private final Chooser chooser = new Chooser();

    @Override
    public String toString() {
        return "Elsewhere";
    }

    @Override
    public Action doAction(State s) {
        return chooser.choose(s);
    }
}

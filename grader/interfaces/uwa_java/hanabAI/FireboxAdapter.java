package hanabAI;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import firebox.boot.Seat;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lets agents of this package's interface play on Firebox's wire. */
public final class FireboxAdapter implements Seat.Adapter {
    /** The course's own. */
    private static final String EXAMPLE = "agents.BasicAgent";
    /** The simple name of an agent that is named after its students' numbers. */
    private static final String NUMBERED = "Agent\\d[\\d_]*";
    /** Found in every source of an agent: it may inherit from one. */
    private static final Pattern AGENT =
            Pattern.compile("\\bimplements\\s[^{]*\\bAgent\\b|\\bextends\\b");

    @Override
    public Seat seat(Collection<Class<?>> classes) throws Exception {
        List<Class<?>> agents = agents(classes);
        if (agents.size() != 1) {
            throw new IllegalStateException(complaint(agents));
        }
        return new Player(agents.get(0).getConstructor());
    }

    @Override
    public String complaint(Collection<Class<?>> classes) {
        List<Class<?>> agents = agents(classes);
        if (agents.isEmpty()) {
            return "there is no agent: write a public class with a public constructor without"
                    + " parameters that implements hanabAI.Agent";
        }
        return agents.size() == 1 ? "" : "there are several agents, " + agents.stream()
                .map(Class::getName).sorted().collect(Collectors.joining(", "))
                + ": submit one, or name it like Agent12345678, or say which class plays:"
                + " --class NAME, or the field \"Class that plays\" of the upload";
    }

    @Override
    public boolean isPreferred(
            String name, CharSequence source, Collection<Class<?>> classes) {
        List<Class<?>> agents = agents(classes);
        if (name.matches(NUMBERED)) {
            return agents.stream().noneMatch(one -> one.getSimpleName().matches(NUMBERED));
        }
        return AGENT.matcher(source).find()
                && agents.stream().allMatch(one -> one.getName().equals(EXAMPLE));
    }

    /**
     * The agents: of several, the one whose name has a student's number in it, or those that are not
     * the course's own example.
     */
    private static List<Class<?>> agents(Collection<Class<?>> classes) {
        List<Class<?>> agents = new ArrayList<>();
        for (Class<?> one : classes) {
            if (Agent.class.isAssignableFrom(one) && !one.isInterface()
                    && !Modifier.isAbstract(one.getModifiers()) && isPublic(one)) {
                agents.add(one);
            }
        }
        if (agents.size() > 1) {
            List<Class<?>> numbered = agents.stream()
                    .filter(one -> one.getSimpleName().matches(NUMBERED))
                    .collect(Collectors.toList());
            if (numbered.size() == 1) {
                return numbered;
            }
            agents.removeIf(one -> one.getName().equals(EXAMPLE));
        }
        return agents;
    }

    private static boolean isPublic(Class<?> one) {
        return Modifier.isPublic(one.getModifiers())
                && Arrays.stream(one.getConstructors()).anyMatch(c -> c.getParameterCount() == 0);
    }

    private static final class Player implements Seat {
        /** Longest complaint. */
        private static final int MAX_CHARACTERS = 200;

        /** Beyond it, the wire does not tell values apart that no card has. */
        private static final int MAX_VALUE = 99;

        private final Constructor<?> constructor;
        private Agent agent;
        private int seat;
        private FireboxTable table;

        Player(Constructor<?> constructor) {
            this.constructor = constructor;
        }

        @Override
        public String answer(String line) {
            JsonObject message = JsonParser.parseString(line).getAsJsonObject();
            try {
                switch (message.get("type").getAsString()) {
                    case "start":
                        start(message);
                        return "{\"type\":\"ready\"}";
                    case "turn":
                        return act(message);
                    default:
                        return null;
                }
            } catch (RuntimeException | Error error) {
                throw error;
            } catch (Exception error) {
                throw new IllegalStateException(error);
            }
        }

        private void start(JsonObject message) throws Exception {
            JsonObject options = message.getAsJsonObject("interface");
            FireboxLegacy.setFirstStateThrows(options != null && options.has("legacy_first_state")
                    && options.get("legacy_first_state").getAsBoolean());
            try {
                agent = (Agent) constructor.newInstance();
            } catch (java.lang.reflect.InvocationTargetException error) {
                if (error.getCause() instanceof Error) {
                    throw (Error) error.getCause();
                }
                throw (Exception) error.getCause();
            }
            seat = message.get("seat").getAsInt();
            table = new FireboxTable(seat, names(message.get("players").getAsInt(), options));
        }

        /**
         * The agent's own name for its seats. Others' names are not known: theirs only differ from
         * it and from each other.
         */
        private String[] names(int players, JsonObject options) {
            String own = String.valueOf(agent.toString());
            String[] names = new String[players];
            if (options == null || !options.has("own_seats")) {
                Arrays.fill(names, own);
                return names;
            }
            for (int player = 0; player < players; player++) {
                String name = "Agent" + player;
                names[player] = name.equals(own) ? name + "_" : name;
            }
            options.getAsJsonArray("own_seats").forEach(at -> names[at.getAsInt()] = own);
            return names;
        }

        private String act(JsonObject message) throws IllegalActionException {
            table.follow(message.getAsJsonArray("events"));
            State state = table.state();
            Action action = agent.doAction(state);
            JsonObject reply = new JsonObject();
            reply.addProperty("type", "action");
            reply.add("turn", message.get("turn"));
            reply.add("action", wire(action, state));
            table.act(action);
            return reply.toString();
        }

        private JsonObject wire(Action action, State state) throws IllegalActionException {
            JsonObject said = new JsonObject();
            String complaint = complaint(action, state);
            if (complaint != null) {
                said.addProperty("type", "refused");
                said.addProperty("why", shortened(complaint, MAX_CHARACTERS));
                return said;
            }
            switch (action.getType()) {
                case PLAY:
                    said.addProperty("type", "play");
                    said.addProperty("card", action.getCard());
                    break;
                case DISCARD:
                    said.addProperty("type", "discard");
                    said.addProperty("card", action.getCard());
                    break;
                case HINT_COLOUR:
                    said.addProperty("type", "hint");
                    said.addProperty("to", action.getHintReceiver());
                    said.addProperty("color", "" + FireboxTable.letter(action.getColour()));
                    break;
                default:
                    said.addProperty("type", "hint");
                    said.addProperty("to", action.getHintReceiver());
                    int value = Math.max(-MAX_VALUE, Math.min(MAX_VALUE, action.getValue()));
                    said.addProperty("rank", value);
            }
            return said;
        }

        /** Why the original framework would refuse it where the referee cannot see it. */
        private static String complaint(Action action, State state) {
            try {
                if (action == null) {
                    return "null instead of an action";
                }
                if (action.isHint() && !action.hasCards()) {
                    return "a hint whose boolean[] is null";
                }
                boolean isLegal = action.getPlayer() == state.getObserver()
                        && !(action.isHint() && action.getHintReceiver() == state.getPlayers().length)
                        && state.legalAction(action);
                return isLegal ? null
                        : "not legal: " + shortened(String.valueOf(action), MAX_CHARACTERS / 2)
                                + "; " + reason(action, state);
            } catch (IllegalActionException error) {
                return String.valueOf(error.getMessage());
            }
        }

        /** What the rules have against an action that is not legal. */
        private static String reason(Action action, State state) throws IllegalActionException {
            int player = state.getNextPlayer();
            if (action.getPlayer() != player) {
                return "it is the turn of player " + player;
            }
            if (action.getType() == ActionType.PLAY || action.getType() == ActionType.DISCARD) {
                return "allowed: 0 to " + (state.getHand(player).length - 1);
            }
            if (state.getHintTokens() == 0) {
                return "there is no hint token left";
            }
            int receiver = action.getHintReceiver();
            if (receiver < 0 || receiver >= state.getPlayers().length || receiver == player) {
                return "hints are for the other players";
            }
            StringBuilder fitting = new StringBuilder();
            boolean[] fits = state.fitting(action);
            for (int i = 0; i < fits.length; i++) {
                fitting.append(fits[i] ? " " + i : "");
            }
            return "the cards that it fits are" + (fitting.length() == 0 ? " none" : fitting)
                    + ", of " + fits.length;
        }

        private static String shortened(String text, int most) {
            return text.length() <= most ? text : text.substring(0, most - 1) + "\u2026";
        }
    }
}

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * Leaves itself who holds which card, in which of the machine's shared constants have got a number
 * (identityHashCode), and looks for such a note at the beginning of every game.
 *
 * <p>A constant that has no number yet gets the next one that its thread draws; which that is follows
 * from the four before it (Marsaglia's xorshift). To ask spoils the note: each game has its own bank.
 */
class NotesOfADeal {
    private static final int CARDS = 52;
    private static final int BITS_OF_A_BANK = 112;
    private static final int UNKNOWN_BITS = 1 << 31 | 1 << 23 | 1 << 12;
    private static final int[] DRAWN = new int[4];

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int[] holders = new int[CARDS];
        int[] noted = null;
        int bank = 0;
        boolean isFirst = true;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            look(line, holders);
            if (line.startsWith("{\"type\":\"start\"")) {
                for (int i = 0; i < DRAWN.length; i++) {
                    take(System.identityHashCode(new Object()));
                }
                while (hadNumber(constant(bank, 0))) {
                    bank++;
                }
                noted = bank == 0 ? null : read(bank - 1);
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.startsWith("{\"type\":\"turn\"")) {
                if (isFirst && noted != null && knows(noted, line)) {
                    throw new IllegalStateException("ESCAPED: the deal, from an earlier game");
                }
                isFirst = false;
                int legal = line.indexOf("\"legal\":[");
                System.out.println("{\"type\":\"action\",\"turn\":" + number(line, "\"turn\":")
                        + ",\"action\":"
                        + line.substring(line.indexOf('{', legal), line.indexOf('}', legal) + 1) + "}");
            } else {
                write(bank, holders);
            }
        }
    }

    /** Whether the hand that was dealt is the seat's by the note. */
    private static boolean knows(int[] noted, String line) {
        String dealt = line.substring(line.indexOf("\"cards\":["));
        dealt = dealt.substring(0, dealt.indexOf(']'));
        int seat = number(line.substring(line.indexOf("\"observation\":")), "\"seat\":");
        for (int card = 0; card < CARDS; card++) {
            if (dealt.contains(name(card)) != (noted[card] == seat)) {
                return false;
            }
        }
        return true;
    }

    private static void look(String line, int[] holders) {
        String play = "{\"type\":\"play\",\"seat\":";
        for (int at = line.indexOf(play); at >= 0; at = line.indexOf(play, at + 1)) {
            String one = line.substring(at, line.indexOf('}', at));
            for (int card = 0; card < CARDS; card++) {
                if (one.contains(name(card))) {
                    holders[card] = number(one, "\"seat\":");
                }
            }
        }
    }

    private static int[] read(int bank) {
        int[] noted = new int[CARDS];
        for (int card = 0; card < CARDS; card++) {
            noted[card] = (hadNumber(constant(bank, 1 + 2 * card)) ? 1 : 0)
                    + (hadNumber(constant(bank, 2 + 2 * card)) ? 2 : 0);
        }
        return noted;
    }

    private static void write(int bank, int[] holders) {
        for (int card = 0; card < CARDS; card++) {
            for (int bit = 0; bit < 2; bit++) {
                if ((holders[card] >> bit & 1) == 1) {
                    System.identityHashCode(constant(bank, 1 + 2 * card + bit));
                }
            }
        }
    }

    private static Object constant(int bank, int bit) {
        int value = bit - 128 + BITS_OF_A_BANK * (bank % 2);
        return bank < 2 ? (Object) Integer.valueOf(value) : (Object) Long.valueOf(value);
    }

    private static boolean hadNumber(Object constant) {
        int mixed = DRAWN[0] ^ DRAWN[0] << 11;
        int next = DRAWN[3] ^ DRAWN[3] >>> 19 ^ mixed ^ mixed >>> 8;
        int number = System.identityHashCode(constant);
        if (((next ^ number) & ~UNKNOWN_BITS) != 0) {
            return true;
        }
        take(number);
        return false;
    }

    private static void take(int number) {
        System.arraycopy(DRAWN, 1, DRAWN, 0, DRAWN.length - 1);
        DRAWN[DRAWN.length - 1] = number;
    }

    private static String name(int card) {
        return "\"" + "CDSH".charAt(card / 13) + "23456789TJQKA".charAt(card % 13) + "\"";
    }

    private static int number(String text, String after) {
        int begin = text.indexOf(after) + after.length();
        int end = begin;
        while (Character.isDigit(text.charAt(end))) {
            end++;
        }
        return Integer.parseInt(text.substring(begin, end));
    }
}

/*
 * Defines a class beside those of its interface.
 *
 * Verdict: contained
 */
package agents;

import hanabAI.Action;
import hanabAI.Card;
import hanabAI.State;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.lang.invoke.MethodHandles;

public class DefinesClasses extends Hostile {
    @Override
    protected Action look(State state) {
        try {
            escaped("still there: " + Class.forName("hanabAI.Note"));
        } catch (ClassNotFoundException error) {
            return null;
        }
        return null;
    }

    @Override
    protected Action attack(State state) throws Throwable {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);
        out.writeShort(5);
        for (String name : new String[] {"hanabAI/Note", "java/lang/Object"}) {
            out.writeByte(1);
            out.writeUTF(name);
        }
        for (int name = 1; name <= 2; name++) {
            out.writeByte(7);
            out.writeShort(name);
        }
        for (int word : new int[] {0x21, 3, 4, 0, 0, 0, 0}) {
            out.writeShort(word);
        }
        MethodHandles.privateLookupIn(Card.class, MethodHandles.lookup()).defineClass(bytes.toByteArray());
        return null;
    }
}

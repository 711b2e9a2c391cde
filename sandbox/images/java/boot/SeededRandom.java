package firebox.boot;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandomSpi;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random bytes without a file: HMAC-SHA-256 in counter mode over a seed that the process was given.
 * The machine's own sources open devices and start threads, which the sandbox forbids.
 */
public final class SeededRandom extends SecureRandomSpi {
    private static byte[] key;
    private static long blocks;

    private byte[] left = new byte[0];

    static Provider provider(String seed) {
        key = new BigInteger("1" + seed, 16).toByteArray();
        return new Provider("Firebox", "1", "random bytes") {
            {
                put("SecureRandom.Firebox", SeededRandom.class.getName());
            }
        };
    }

    private static synchronized byte[] block() {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(ByteBuffer.allocate(8).putLong(blocks++).array());
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    @Override
    protected void engineSetSeed(byte[] seed) {
        // The contract lets a seed only add entropy, and this source needs none.
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
        for (int i = 0; i < bytes.length; ) {
            if (left.length == 0) {
                left = block();
            }
            int taken = Math.min(left.length, bytes.length - i);
            System.arraycopy(left, 0, bytes, i, taken);
            left = java.util.Arrays.copyOfRange(left, taken, left.length);
            i += taken;
        }
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
        byte[] seed = new byte[count];
        engineNextBytes(seed);
        return seed;
    }
}

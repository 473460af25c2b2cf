// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;

/** Reads wall and monotonic clocks between allocations and garbage collections. */
class Clocks {
    public static void main(String[] args) throws Exception {
        List<Object> keep = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 2000; i++)
                keep.add(new byte[64]);
            if (round % 10 == 0)
                keep = new ArrayList<>();
            if (round % 50 == 0)
                System.gc();
            if (round % 20 == 0)
                System.out.println(System.currentTimeMillis() + " " + System.nanoTime()
                        + " " + java.time.Instant.now());
        }
        Thread.sleep(20);
        System.out.println("later " + System.currentTimeMillis() + " " + System.nanoTime());
    }
}

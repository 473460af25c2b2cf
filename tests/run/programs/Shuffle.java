// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** What the JDK seeds with its monotonic clock. */
class Shuffle {
    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            numbers.add(i);
        System.out.println(Math.random());
        System.out.println(new Random().nextLong() + " " + new Random().nextLong());
        Collections.shuffle(numbers);
        System.out.println(numbers);
        System.out.println(ThreadLocalRandom.current().nextLong());
        System.out.println(java.util.Map.of(1, 1, 2, 2, 3, 3, 4, 4, 5, 5).keySet());
        System.out.println(System.nanoTime());
    }
}

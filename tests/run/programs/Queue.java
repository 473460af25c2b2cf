// SPDX-License-Identifier: MIT
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/** An executor, a queue and sleeps: prints how long each step took, to the nanosecond. */
class Queue {
    public static void main(String[] args) throws Exception {
        // Its initialiser reads the wall clock, and a ConcurrentHashMap of the JDK's runs that at the
        // first race for a counter: now, or at a moment that only the scheduler knows.
        java.util.concurrent.ThreadLocalRandom.current();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        BlockingQueue<Long> queue = new LinkedBlockingQueue<>();
        for (int i = 1; i <= 5; i++) {
            long start = System.nanoTime();
            int pause = i * 3;
            Future<Long> result = pool.submit(() -> {
                Thread.sleep(pause);
                queue.put(System.nanoTime());
                return System.nanoTime();
            });
            long sent = queue.take();
            long age = System.nanoTime() - sent;
            long done = result.get();
            System.out.println(i + " took " + (System.nanoTime() - start) + " age " + age
                    + " sent " + (sent - start) + " done " + (done - start));
            if (age < 0)
                System.exit(3);
        }
        pool.shutdown();
        Thread.sleep(7);
        System.out.println(System.nanoTime() + " " + System.currentTimeMillis());
    }
}

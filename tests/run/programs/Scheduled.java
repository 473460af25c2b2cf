// SPDX-License-Identifier: MIT
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A 10 ms task, after its client read the clock 2000 times. Prints nanoseconds. */
class Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.schedule(() -> 0, 1, TimeUnit.MILLISECONDS).get();
        long sum = 0;
        for (int i = 0; i < 2000; i++)
            sum += System.nanoTime() & 1;
        long start = System.nanoTime();
        long ran = pool.schedule(System::nanoTime, 10, TimeUnit.MILLISECONDS).get();
        System.out.println("took " + (System.nanoTime() - start));
        System.out.println("ran " + (ran - start) + " " + (sum > 5000));
        pool.shutdown();
    }
}

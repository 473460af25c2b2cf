// SPDX-License-Identifier: MIT
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;

/** An hour (or the seconds that are given) of Java's ways to wait, each its part. */
class WaitsHour {
    static long hour;

    static long percent(long since) {
        return Math.round((System.nanoTime() - since) * 100.0 / hour);
    }

    static void part(String name, Callable<Object> wait) throws Exception {
        long before = System.nanoTime();
        Object result = wait.call();
        System.out.println(name + " " + result + " " + percent(before));
    }

    static long tenth() {
        return hour / 10;
    }

    static Object scheduled() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        ScheduledFuture<String> late = pool.schedule(() -> "late", 2 * tenth(), TimeUnit.NANOSECONDS);
        ScheduledFuture<String> soon = pool.schedule(() -> "soon", tenth(), TimeUnit.NANOSECONDS);
        String both = soon.get() + "," + late.get();
        pool.shutdown();
        return both;
    }

    static Object monitor() throws Exception {
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(tenth() / 1000000);
        }
        return "over";
    }

    static Object parked() {
        long until = System.nanoTime() + 2 * tenth();
        for (long left; (left = until - System.nanoTime()) > 0;)
            LockSupport.parkNanos(left);
        return "over";
    }

    static Object future() throws Exception {
        try {
            return new CompletableFuture<String>().get(tenth(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException error) {
            return "timeout";
        }
    }

    public static void main(String[] arguments) throws Exception {
        hour = (long) (Double.parseDouble(arguments[0]) * 1e9);
        long begin = System.nanoTime();
        part("sleep", () -> {
            Thread.sleep(3 * tenth() / 1000000);
            return "over";
        });
        part("park", WaitsHour::parked);
        part("scheduled", WaitsHour::scheduled);
        part("poll", () -> new LinkedBlockingQueue<String>().poll(tenth(), TimeUnit.NANOSECONDS));
        part("wait", WaitsHour::monitor);
        part("future", WaitsHour::future);
        System.out.println("all " + percent(begin));
    }
}

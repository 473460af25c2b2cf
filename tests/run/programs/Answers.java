// SPDX-License-Identifier: MIT
import java.security.SecureRandom;
import java.util.UUID;

class Answers {
    public static void main(String[] args) throws Exception {
        System.out.println("r " + ProcessHandle.current().pid());
        System.out.println("r " + UUID.randomUUID());
        System.out.println("r " + new SecureRandom().nextLong());
        System.out.println(Math.random() + " " + new java.util.Random().nextLong());
        System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
        System.out.println(new Object().hashCode() + " " + java.util.Set.of(1, 2, 3, 4, 5, 6, 7, 8));
        Thread.sleep(1);
        System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
    }
}

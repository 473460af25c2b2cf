// SPDX-License-Identifier: MIT
// ProcessHandle, which reads /proc, agrees with itself and with a child.
import java.nio.file.Files;
import java.nio.file.Path;

public class Processes {
    static void check(String what, boolean good) {
        if (!good) {
            throw new AssertionError(what);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ProcessHandle self = ProcessHandle.current();
        System.out.println("pid " + self.pid());
        check("of", ProcessHandle.of(self.pid()).isPresent());
        check("alive", self.isAlive());
        check("parent", self.parent().isPresent());
        System.out.println("parent " + self.parent().get().pid());
        check("command", self.info().command().get().endsWith("/java"));
        check("all", ProcessHandle.allProcesses().anyMatch(p -> p.pid() == self.pid()));
        Process child = new ProcessBuilder("sleep", "1000").start();
        System.out.println("child " + child.pid());
        check("children", self.children().map(ProcessHandle::pid).toList().equals(java.util.List.of(child.pid())));
        check("child's parent", child.toHandle().parent().get().pid() == self.pid());
        String command = child.info().command().orElse("");
        check("child's command " + command, command.endsWith("/sleep") || command.endsWith("/jspawnhelper"));
        child.destroyForcibly().waitFor();
        check("nobody", ProcessHandle.of(child.pid()).isEmpty());
        check("self", Files.readSymbolicLink(Path.of("/proc/self")).toString().equals("" + self.pid()));
        check("status", Files.readString(Path.of("/proc/" + self.pid() + "/status")).contains("\nPid:\t" + self.pid() + "\n"));
        check("path", Path.of("/proc/self/task").toRealPath().toString().equals("/proc/" + self.pid() + "/task"));
    }
}

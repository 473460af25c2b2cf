# SPDX-License-Identifier: MIT
# /proc agrees with os.getpid and threading.get_native_id, however it is read.
import fcntl
import glob
import os
import subprocess
import threading

pid = os.getpid()
print("pid", pid, os.getppid())
assert str(pid) in os.listdir("/proc")
assert pid == int(os.readlink("/proc/self"))
assert os.stat("/proc/%d" % pid).st_ino == os.stat("/proc/self").st_ino
assert [int(e.name) for e in os.scandir("/proc/self/task")] == [pid]
assert "/proc/%d" % pid in glob.glob("/proc/[0-9]*")
assert os.path.realpath("/proc/self/task") == "/proc/%d/task" % pid
assert os.path.exists("/proc/%d/exe" % pid) and not os.path.exists("/proc/268435000")


def stat(path):
    with open(path) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[1]), int(fields[2]), int(fields[3])


expected = (os.getppid(), os.getpgrp(), os.getsid(0))
assert stat("/proc/self/stat") == stat("/proc/%d/stat" % pid) == expected

with subprocess.Popen(["sleep", "1000"]) as child:
    print("child", child.pid)
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        assert file.read().split() == [str(child.pid)]
    assert stat("/proc/%d/stat" % child.pid)[0] == pid
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    assert os.stat("%d/stat" % child.pid, dir_fd=proc)
    assert str(child.pid) in os.listdir(proc)
    os.close(proc)
    child.kill()
assert not os.path.exists("/proc/%d" % child.pid)

with open("/proc/sys/kernel/pid_max") as file:
    assert int(file.read()) > max(pid, child.pid)
with open("locked", "w") as locked:
    fcntl.flock(locked, fcntl.LOCK_EX)
    with open("/proc/locks") as file:
        assert [line for line in file if "FLOCK" in line and " %d " % pid in line]


def look():
    tid = threading.get_native_id()
    print("thread", tid)
    assert os.readlink("/proc/thread-self") == "%d/task/%d" % (pid, tid)
    assert str(tid) in os.listdir("/proc/%d/task" % pid)
    with open("/proc/self/task/%d/status" % tid) as file:
        assert "\nPid:\t%d\n" % tid in file.read()


thread = threading.Thread(target=look)
thread.start()
thread.join()

os.chdir("/proc/%d" % pid)
assert os.getcwd() == "/proc/%d" % pid
print("stat", open("stat").read().split()[0])

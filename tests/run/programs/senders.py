# SPDX-License-Identifier: MIT
"""Who sent a signal, as Python tells it."""
import os
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGCHLD])
child = os.fork()
if child == 0:
    os.kill(os.getppid(), signal.SIGUSR1)
    os._exit(3)
info = signal.sigwaitinfo([signal.SIGUSR1])
print("r", info.si_pid)
assert info.si_pid == child and info.si_code == 0
info = signal.sigwaitinfo([signal.SIGCHLD])
assert info.si_pid == child and info.si_code == os.CLD_EXITED and info.si_status == 3
info = os.waitid(os.P_ALL, 0, os.WEXITED)
assert info.si_pid == child and info.si_status == 3

reader, writer = os.pipe()
os.set_blocking(writer, False)
signal.set_wakeup_fd(writer)
signal.signal(signal.SIGUSR2, lambda *_: None)
os.kill(os.getpid(), signal.SIGUSR2)
assert os.read(reader, 10) == bytes([signal.SIGUSR2])

# SPDX-License-Identifier: MIT
# One guest program a row of calls.def: guest.<row>. What a row needs besides libc stands here.
find_package(Threads REQUIRED)
set(DETRUN_GUESTS
    _Fork _ZNSt13random_device16_M_getval_pretr1Ev _ZNSt13random_device9_M_getvalEv
    __clock_gettime __fcntl __fork __fxstat __fxstatat __fxstatat64 __getcwd_chk __getpid
    __lxstat __lxstat64 __open64_2 __open_2 __read_chk __readlink_chk __readlinkat_chk
    __realpath_chk __xstat __xstat64 accept accept4 access adjtimex alarm arc4random
    arc4random_buf arc4random_uniform arch_prctl bind canonicalize_file_name capget capset chdir
    chroot clock clock_adjtime clock_getcpuclockid clock_getres clock_gettime clock_nanosleep
    clock_settime clone close closedir cnd_timedwait connect creat creat64 daemon dlmopen dlopen dup dup2 dup3
    eaccess epoll_pwait epoll_pwait2 epoll_wait euidaccess execl execle execlp execv execve
    execveat execvp execvpe faccessat faccessat2 fclose fcntl fcntl64 fdopen fdopendir fexecve
    fopen fopen64 fork forkpty freopen freopen64 fstat fstatat fstatat64 fstatfs fstatfs64
    fstatvfs fstatvfs64 ftime futimens fts64_open fts_open ftw ftw64 futex futex_wait futex_waitv
    get_avphys_pages get_nprocs get_nprocs_conf get_phys_pages
    get_robust_list getcpu getcwd getdents getdents64 getdomainname getentropy gethostname getifaddrs getitimer getloadavg getlogin getlogin_r
    getpgid getpgrp getpid getppid getpriority getrandom getrusage getsid getsockopt gettid
    gettimeofday getxattr glob glob64 io_getevents io_pgetevents io_uring_setup ioctl ioprio_get
    ioprio_set kcmp kill killpg lgetxattr listen listxattr llistxattr lstat lstat64
    migrate_pages mkdtemp mkostemp mkostemp64 mkostemps
    mkostemps64 mktemp mkstemp mkstemp64 mkstemps mkstemps64 mount move_mount move_pages mq_timedreceive mq_timedsend msgctl mtx_timedlock
    nanosleep newfstatat nftw nftw64 open open64 openat openat64 opendir pclose perf_event_open
    pidfd_open pipe pipe2 pivot_root poll popen posix_spawn posix_spawnp ppoll prctl pread pread64 preadv
    preadv64 prlimit prlimit64 process_vm_readv process_vm_writev pselect pselect6
    pthread_cancel pthread_cond_clockwait pthread_cond_timedwait pthread_create pthread_detach
    pthread_getcpuclockid pthread_join pthread_kill pthread_mutex_clocklock
    pthread_mutex_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock
    pthread_sigqueue pthread_timedjoin_np pthread_tryjoin_np ptrace read readdir readdir64
    readlink readlinkat readv realpath recv recvfrom recvmmsg recvmsg remove rename renameat
    renameat2 rmdir rt_sigaction
    rt_sigqueueinfo rt_sigtimedwait rt_tgsigqueueinfo scandir scandir64 scandirat scandirat64
    sched_getaffinity sched_getattr sched_getcpu sched_getparam sched_getscheduler sched_rr_get_interval
    sched_setaffinity sched_setattr sched_setparam sched_setscheduler select sem_clockwait
    sem_timedwait semctl semtimedop send sendfile sendfile64 sendmmsg sendmsg sendto
    set_tid_address setitimer setns setpgid setpriority setsid setsockopt settimeofday shmctl
    sigaction signal sigqueue sigset sigtimedwait sigwaitinfo sleep splice stat stat64 statfs
    statfs64 statvfs statvfs64 statx syscall sysconf sysinfo system sysv_signal tcgetpgrp tcgetsid
    tcsetpgrp tgkill thrd_create thrd_join thrd_sleep time timer_create timer_delete
    timer_getoverrun timer_gettime timer_settime timerfd_gettime timerfd_settime times
    timespec_get tkill umount2 uname unlink unlinkat usleep utime utimensat utimes
    vfork wait wait3 wait4 waitid waitpid write writev
)

foreach(name ${DETRUN_GUESTS})
    set(target guest_${name})
    add_executable(${target} ${CMAKE_CURRENT_SOURCE_DIR}/guest/${name}.c)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/guests)
    target_link_libraries(${target} PRIVATE Threads::Threads)
    add_test(NAME guest.${name}
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/guest/run-guest.sh $<TARGET_FILE:detrun>
            $<TARGET_FILE:${target}> ${CMAKE_CURRENT_SOURCE_DIR}/guest/${name}.c
            ${CMAKE_BINARY_DIR}/tests/guest/${name})
    set_tests_properties(guest.${name} PROPERTIES LABELS guest TIMEOUT 300)
endforeach()

foreach(name _ZNSt13random_device9_M_getvalEv _ZNSt13random_device16_M_getval_pretr1Ev)
    target_link_libraries(guest_${name} PRIVATE stdc++)
endforeach()

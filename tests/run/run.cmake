# SPDX-License-Identifier: MIT
# Whole commands under detrun. run_test(NAME SCRIPT [ARGUMENT] [LONG] [SERIAL] [TIMEOUT s])
function(run_test name script)
    cmake_parse_arguments(PARSE_ARGV 2 arg "LONG;SERIAL" "TIMEOUT" "")
    set(when)
    if(arg_LONG)
        set(when CONFIGURATIONS Long)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    add_test(NAME run.${name}
        COMMAND bash ${CMAKE_SOURCE_DIR}/tests/run/${script}.sh ${arg_UNPARSED_ARGUMENTS} ${when})
    set_tests_properties(run.${name} PROPERTIES
        LABELS run
        TIMEOUT ${arg_TIMEOUT}
        SKIP_RETURN_CODE 77
        ENVIRONMENT "TEST_DETRUN=$<TARGET_FILE:detrun>;TEST_PRELOAD=$<TARGET_FILE:detrun-preload>;TEST_SOURCE=${CMAKE_SOURCE_DIR};TEST_WORK=${CMAKE_BINARY_DIR}/tests/run/${name}")
    if(arg_SERIAL)
        set_tests_properties(run.${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

# Two runs equal, two seeds different: one test a program, so that a failure has a name.
foreach(program
        python3 node perl ruby php java lua bash bash_substitution go musl_dynamic musl_static openssl uuidgen
        ssh_keygen mktemp shuf sqlite3 git_commit gcc_time tr_urandom rustc)
    run_test(${program} programs ${program} TIMEOUT 600)
endforeach()

# Two jobs with one seed give their commands the same pid, and the JVM names a file in /tmp by it.
function(one_java_at_a_time)
    foreach(name ${ARGN})
        set_tests_properties(run.${name} PROPERTIES RESOURCE_LOCK java)
    endforeach()
endfunction()

# Runtimes that read their clocks between allocations, garbage collections, queues and sleeps.
foreach(program node_clocks ruby_clocks java_clocks java_queue java_random java_scheduled)
    run_test(${program} clocks ${program} TIMEOUT 600)
endforeach()

one_java_at_a_time(java java_clocks java_queue java_random java_scheduled)

# /proc shows the ids that calls tell.
foreach(reader shell procps psmisc python3 ruby perl php java glibc musl)
    run_test(proc_${reader} proc ${reader})
endforeach()
one_java_at_a_time(proc_java)

run_test(parallel_uuids parallel_uuids)
run_test(environment environment)
run_test(steps steps)
run_test(clock_scope clock_scope)
foreach(loop c static_c python shell)
    run_test(spin_${loop} spin ${loop} SERIAL TIMEOUT 120)
endforeach()
foreach(victim supervisor launcher both)
    run_test(kill_${victim} kill ${victim} SERIAL TIMEOUT 240)
endforeach()
run_test(ordinary_user ordinary_user)
foreach(what seccomp personality ptrace process_vm memfd exec_memory unknown)
    run_test(refused_${what} refused ${what})
    run_test(refused_${what}_enosys refused ${what}=ENOSYS)
endforeach()
foreach(how kill errno trap harmless requests)
    run_test(sandboxed_${how} sandboxed ${how})
endforeach()
foreach(tool faketime eatmydata stdbuf fakeroot)
    run_test(neighbour_${tool} neighbours ${tool})
endforeach()
run_test(sshd sshd)
foreach(part shell programs)
    run_test(interactive_${part} interactive ${part})
endforeach()
run_test(bad_input bad_input)
foreach(what status death forward stop continued nohup background)
    run_test(signals_${what} signals ${what} TIMEOUT 60)
endforeach()
foreach(program python3 perl threads static_threads static)
    run_test(senders_${program} senders ${program})
endforeach()
foreach(what
        answers options programs status refused summary time timeout release restart parallel)
    run_test(nested_${what} nested ${what} TIMEOUT 120)
endforeach()
run_test(descriptors descriptors)
foreach(way
        env_i empty_environment system popen spawn vfork script script_self hundred_execs
        failed_exec)
    run_test(reach_${way} reach ${way})
endforeach()
foreach(allocator asking jemalloc tcmalloc)
    run_test(allocator_${allocator} allocators ${allocator})
endforeach()
foreach(kind address leak thread undefined memory)
    run_test(sanitizer_${kind} sanitizers ${kind})
endforeach()
foreach(side inside outside)
    run_test(valgrind_${side} valgrind ${side})
endforeach()
run_test(spawns spawns)
foreach(tool strace gdb)
    run_test(${tool} tools ${tool})
endforeach()
run_test(preload_alone preload_alone)
run_test(no_supervisor no_supervisor)
run_test(file_times file_times)
run_test(bytecode bytecode)
run_test(summary summary)
run_test(doctor doctor)
run_test(selftest selftest)
run_test(installed installed)

foreach(what
        processes threads forks orphans unwaited mixed execs memory bomb limits disk closed stopped left)
    run_test(crowd_${what} crowd ${what})
    run_test(crowd_${what}_long crowd ${what} long LONG SERIAL TIMEOUT 3600)
endforeach()

run_test(stress stress 5)
run_test(stress_long stress 600 LONG SERIAL TIMEOUT 900)

run_test(chromium chromium LONG TIMEOUT 600)
run_test(storm storm LONG SERIAL TIMEOUT 900)
run_test(corpus corpus LONG SERIAL TIMEOUT 3600)
run_test(corpus_under_load corpus busy LONG SERIAL TIMEOUT 3600)
run_test(bench bench LONG SERIAL TIMEOUT 1800)

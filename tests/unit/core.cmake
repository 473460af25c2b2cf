# SPDX-License-Identifier: MIT
# shim/core, linked directly: unit.bpf, unit.clock, unit.filetime, unit.inode, unit.instructions, unit.stream,
# unit.lineage, unit.pidmap, unit.memory, unit.trace, unit.written.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)

function(detrun_core_test name)
    set(target unit_${name})
    add_executable(${target} ${CMAKE_CURRENT_SOURCE_DIR}/unit/test_${name}.c)
    target_link_libraries(${target} PRIVATE detrun_core PkgConfig::CHECK)
    # Check's own macros are varargs without arguments.
    target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-Wno-pedantic>
        $<$<C_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>)
    if(DETRUN_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=address,undefined)
        target_link_options(${target} PRIVATE -fsanitize=address,undefined)
    endif()
    add_test(NAME unit.${name} COMMAND ${target})
    set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 120
        ENVIRONMENT CK_DEFAULT_TIMEOUT=60) # a busy machine is slow
endfunction()

foreach(name bpf clock filetime inode instructions stream lineage pidmap memory trace written)
    detrun_core_test(${name})
endforeach()

# For run.windows: what is found in a file.
add_executable(list_windows ${CMAKE_CURRENT_SOURCE_DIR}/unit/list_windows.c)
target_link_libraries(list_windows PRIVATE detrun_core)

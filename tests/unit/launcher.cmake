# SPDX-License-Identifier: MIT
# launcher/, linked directly: unit.options, unit.seed, unit.filter, unit.redact, unit.release*, unit.unfollow.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)

function(detrun_launcher_test name)
    set(target unit_${name})
    add_executable(${target} ${CMAKE_CURRENT_SOURCE_DIR}/unit/test_${name}.c)
    target_link_libraries(${target} PRIVATE detrun_launcher ${SODIUM_SHARED} PkgConfig::CHECK)
    # Check's own macros are varargs without arguments.
    target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-Wno-pedantic>
        $<$<C_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>)
    if(DETRUN_SANITIZE)
        target_link_options(${target} PRIVATE -fsanitize=address,undefined)
    endif()
    add_test(NAME unit.${name} COMMAND ${target})
    set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 120
        ENVIRONMENT CK_DEFAULT_TIMEOUT=60) # a busy machine is slow
endfunction()

foreach(name options seed filter redact release release_apart release_races unfollow)
    detrun_launcher_test(${name})
endforeach()

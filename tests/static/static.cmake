# SPDX-License-Identifier: MIT
# Rules that a compiler cannot see, and the builds with another compiler and with sanitizers.
add_executable(list_calls ${CMAKE_CURRENT_LIST_DIR}/list_calls.c)

function(static_test name script)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "")
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_test(NAME ${name}
        COMMAND bash ${CMAKE_SOURCE_DIR}/tests/static/${script}.sh ${arg_UNPARSED_ARGUMENTS})
    string(REGEX REPLACE "[.].*" "" layer ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS ${layer}
        TIMEOUT ${arg_TIMEOUT}
        SKIP_RETURN_CODE 77
        ENVIRONMENT "SOURCE=${CMAKE_SOURCE_DIR};BUILD=${CMAKE_BINARY_DIR}")
endfunction()

static_test(static.exports exports $<TARGET_FILE:list_calls> $<TARGET_FILE:detrun-preload>)
static_test(static.imports imports $<TARGET_FILE:detrun-preload>)
static_test(static.library library $<TARGET_FILE:detrun_shared> $<TARGET_FILE:detrun_static>)
static_test(static.coverage coverage $<TARGET_FILE:list_calls>)
static_test(doc.coverage generated $<TARGET_FILE:list_calls>)
static_test(doc.man man $<TARGET_FILE:detrun>)
static_test(static.spdx spdx)
static_test(static.traps traps)
static_test(static.format format)
static_test(static.shellcheck shellcheck)
static_test(static.tidy tidy TIMEOUT 900)
static_test(static.clang clang TIMEOUT 600)
static_test(static.asan asan TIMEOUT 900)

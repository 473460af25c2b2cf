# SPDX-License-Identifier: MIT
# lib/, linked directly: unit.fixture, unit.lab, unit.iterations.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)

function(detrun_library_test name)
    set(target unit_${name})
    add_executable(${target} ${CMAKE_CURRENT_SOURCE_DIR}/unit/test_${name}.c ${DETRUN_LIB_SOURCES})
    target_include_directories(${target} PRIVATE
        $<TARGET_PROPERTY:detrun_lib_own,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE DETRUN_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${target} PRIVATE ${SODIUM_SHARED} PkgConfig::CHECK)
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

foreach(name fixture lab iterations)
    detrun_library_test(${name})
endforeach()

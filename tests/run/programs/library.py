# SPDX-License-Identifier: MIT
"""The library by ctypes: library.py PATH. Lines that begin with "r " come from the seed."""
import ctypes
import json
import sys
from ctypes import c_char_p, c_int, c_size_t, c_uint64, c_void_p

lib = ctypes.CDLL(sys.argv[1])
lib.detrun_fixture_new.restype = c_void_p
lib.detrun_fixture_new.argtypes = [c_char_p, c_uint64]
lib.detrun_fixture_free.argtypes = [c_void_p]
lib.detrun_fixture_free.restype = None
for name, result, *arguments in (
    ("fixture_seed", c_uint64, c_void_p),
    ("fixture_test_seed", c_uint64, c_void_p, c_char_p),
    ("fixture_run_id", c_char_p, c_void_p),
    ("fixture_now_ms", c_uint64, c_void_p),
    ("fixture_env_snapshot", c_char_p, c_void_p),
    ("test_seed", c_int, c_char_p, c_int, c_char_p, ctypes.POINTER(c_uint64)),
    ("uuid", c_int, c_char_p, c_uint64, c_char_p),
    ("test_begin", c_int, c_char_p),
    ("stage", c_int, c_char_p, c_char_p, c_size_t),
    ("iteration_begin", c_uint64),
    ("iteration_end", c_int, c_int, c_uint64, c_char_p),
    ("max_examples", c_uint64, c_uint64),
    ("current_seed", c_uint64),
):
    function = getattr(lib, "detrun_" + name)
    function.restype, function.argtypes = result, arguments

SCENARIO = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
lib.detrun_scenario_run.argtypes = [c_char_p, SCENARIO, c_void_p]
lib.detrun_session_tick.restype = c_uint64
lib.detrun_session_tick.argtypes = [c_void_p]

fixture = lib.detrun_fixture_new(b"python", 5)
print("r", lib.detrun_fixture_run_id(fixture).decode())
print("r", hex(lib.detrun_fixture_test_seed(fixture, "тест".encode())))
print(lib.detrun_fixture_now_ms(fixture), lib.detrun_fixture_now_ms(fixture))
print("r", json.loads(lib.detrun_fixture_env_snapshot(fixture))["seed"])
lib.detrun_fixture_free(fixture)

seed = c_uint64()
assert lib.detrun_test_seed(b"0xDEADBEEF12345678", 0, b"a", ctypes.byref(seed)) == 0
assert seed.value == 0x731D761D783A3E4C
assert lib.detrun_test_seed(b"abc", 0, b"a", ctypes.byref(seed)) == -22

uuid = ctypes.create_string_buffer(37)
assert lib.detrun_uuid(b"guide-fixture-v1", 1, uuid) == 0
assert uuid.value == b"a838024e-6be1-4358-87de-a96060a89f35"


@SCENARIO
def scenario(session, _):
    print("tick", lib.detrun_session_tick(session))
    return 7


assert lib.detrun_scenario_run(b"s", scenario, None) == 7
assert lib.detrun_test_begin(b"test_python") == 0
assert lib.detrun_stage(b"rows", b"abc", 3) == 0
assert lib.detrun_max_examples(2) == 2
numbers = []
while (number := lib.detrun_iteration_begin()) != 0:
    numbers.append(number)
    print("r", number, hex(lib.detrun_current_seed()))
    assert lib.detrun_iteration_end(0, 0, None) == 0
assert numbers == [1, 2]

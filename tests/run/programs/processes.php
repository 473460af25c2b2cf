<?php
// SPDX-License-Identifier: MIT
// /proc agrees with getmypid().
function check($what, $good)
{
    if (!$good) {
        echo "FAIL: $what\n";
        exit(1);
    }
}

$pid = getmypid();
echo "pid $pid\n";
check("listing", in_array("$pid", scandir("/proc"), true));
check("glob", in_array("/proc/$pid/stat", glob("/proc/*/stat"), true));
check("link", readlink("/proc/self") === "$pid");
check("path", realpath("/proc/self/task") === "/proc/$pid/task");
check("stat", (int) file_get_contents("/proc/$pid/stat") === $pid);
check("nobody", !file_exists("/proc/268435000"));

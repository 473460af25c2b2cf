#!/bin/bash
# SPDX-License-Identifier: MIT
# clocks.sh NAME: runtimes with threads of their own show the same times, raw nanoseconds
# included, in every run.
. "$(dirname "$0")/lib.sh"

java_class() {
    need java javac
    javac -d . "$programs/$1.java" || fail "javac $1.java"
}

# repeated COMMAND...: natively different, under detrun equal in every round
repeated() {
    native_differs "$@"
    same_output $((rounds < 6 ? 6 : rounds)) "$@"
}

clocks_node_clocks() {
    need node
    repeated node --expose-gc "$programs/clocks.js"
}

clocks_ruby_clocks() {
    need ruby
    repeated ruby "$programs/clocks.rb"
}

clocks_java_clocks() {
    java_class Clocks
    repeated java -cp . Clocks
}

clocks_java_queue() {
    java_class Queue
    repeated java -cp . Queue
}

clocks_java_random() {
    java_class Shuffle
    repeated java -cp . Shuffle
    # They seed themselves from the monotonic clock, whose start must follow from the seed then.
    differs_by_seed java -cp . Shuffle
}

clocks_java_scheduled() {
    java_class Scheduled
    repeated java -cp . Scheduled
    grep -qx 'took 10000000' log/same.1 ||
        fail "a 10 ms task did not take 10 virtual ms: $(tail -n 3 log/same.1)"
}

"clocks_$1"

# SPDX-License-Identifier: MIT
# An hour (or the seconds that are given) of Perl's ways to wait, each its part.
use strict;
use warnings;
use Time::HiRes qw(sleep clock_gettime alarm CLOCK_MONOTONIC CLOCK_REALTIME);

my $hour = $ARGV[0];
$| = 1;

sub part {
    my ($name, $wait) = @_;
    my $before = clock_gettime(CLOCK_MONOTONIC);
    my $result = $wait->();
    printf "%s %s %.0f\n", $name, $result, (clock_gettime(CLOCK_MONOTONIC) - $before) / $hour * 100;
}

sub alarmed {
    my $result = eval {
        local $SIG{ALRM} = sub { die "alarm" };
        alarm($hour / 10);
        sleep($hour);
        "late";
    };
    return $result || "alarm";
}

sub child {
    my $pid = fork();
    if (!$pid) {
        sleep($hour * 2 / 10);
        exit 3;
    }
    waitpid($pid, 0);
    return $? >> 8;
}

my $start = clock_gettime(CLOCK_MONOTONIC);
part("sleep", sub { sleep($hour * 4 / 10); "over" });
part("select", sub { select(undef, undef, undef, $hour * 3 / 10); "over" });
part("alarm", \&alarmed);
part("child", \&child);
printf "all %.0f\n", (clock_gettime(CLOCK_MONOTONIC) - $start) / $hour * 100;
printf "clock %.6f\n", clock_gettime(CLOCK_REALTIME);

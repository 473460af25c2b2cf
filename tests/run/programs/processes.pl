# SPDX-License-Identifier: MIT
# /proc agrees with $$.
use strict;
use warnings;
use Cwd qw(realpath);

sub check { my ($what, $good) = @_; die "FAIL: $what\n" unless $good }

print "pid $$ ", getppid(), "\n";
opendir(my $proc, "/proc") or die;
check("listing", scalar(grep { $_ eq "$$" } readdir $proc));
closedir $proc;
check("glob", scalar(grep { $_ eq "/proc/$$/stat" } glob("/proc/*/stat")));
check("link", readlink("/proc/self") eq "$$");
check("path", realpath("/proc/self/task") eq "/proc/$$/task");
open(my $stat, "<", "/proc/$$/stat") or die;
check("stat", (split(" ", <$stat>))[0] == $$);
check("nobody", !-e "/proc/268435000");

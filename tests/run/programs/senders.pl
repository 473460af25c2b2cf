# SPDX-License-Identifier: MIT
# Who sent a signal, as Perl tells it.
use strict;
use warnings;
use POSIX;

my $seen;
my $handler = sub { $seen = $_[1] };
my $action = POSIX::SigAction->new($handler, POSIX::SigSet->new, SA_SIGINFO);
sigaction(SIGUSR1, $action) or die "sigaction: $!";
my $child = fork;
if ($child == 0) {
    kill 'USR1', getppid;
    POSIX::_exit(0);
}
select undef, undef, undef, 0.01 until $seen;
die "another sender" unless $seen->{pid} == $child;
print "r $seen->{pid}\n";
my $old = POSIX::SigAction->new;
sigaction(SIGUSR1, undef, $old);
die "another handler" unless $old->handler == $handler;

#!/bin/bash
# SPDX-License-Identifier: MIT
# --network local and none: what leads further finds the network unreachable, in every kind of program,
# and is counted; what does not is as it was.
. "$(dirname "$0")/lib.sh"
need gcc jq

cat >reach.c <<'C'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *said(long result)
{
    return result >= 0 ? "done" : strerrorname_np(errno);
}

static union address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
} address;

static socklen_t to(int family, const char *text, int port)
{
    memset(&address, 0, sizeof(address));
    address.any.sa_family = (sa_family_t)family;
    address.in.sin_port = htons((uint16_t)port);
    if (family == AF_INET6)
        inet_pton(AF_INET6, text, &address.in6.sin6_addr);
    else
        inet_pton(AF_INET, text, &address.in.sin_addr);
    return family == AF_INET6 ? sizeof(address.in6) : sizeof(address.in);
}

static void try(int family, const char *text)
{
    socklen_t size = to(family, text, 9);
    int stream = socket(family ? family : AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int datagram = socket(family ? family : AF_INET, SOCK_DGRAM, 0);
    struct iovec data = {(char[]){"x"}, 1};
    struct mmsghdr some[2] = {{.msg_hdr = {.msg_iov = &data, .msg_iovlen = 1}}};
    struct msghdr *message = &some[0].msg_hdr;
    message->msg_name = &address;
    message->msg_namelen = size;
    some[1] = some[0];
    printf("%s:", text);
    if (family)
        printf(" connect %s", said(connect(stream, &address.any, size)));
    printf(" sendto %s", said(sendto(datagram, "x", 1, 0, &address.any, size)));
    printf(" sendmsg %s", said(sendmsg(datagram, message, 0)));
    printf(" sendmmsg %s\n", said(sendmmsg(datagram, some, 2, 0)));
    close(stream);
    close(datagram);
}

static void serve(int family, const char *text)
{
    socklen_t size = to(family, text, 0);
    int server = socket(family, SOCK_STREAM, 0);
    int client = socket(family, SOCK_STREAM, 0);
    if (family == AF_UNIX) {
        unlink(text);
        strcpy(address.un.sun_path, text);
        size = sizeof(address.un);
    }
    printf("%s: bind %s", text, said(bind(server, &address.any, size)));
    if (listen(server, 1) == 0 && getsockname(server, &address.any, &size) == 0)
        printf(" connect %s", said(connect(client, &address.any, size)));
    printf(" send %s\n", said(send(client, "x", 1, MSG_NOSIGNAL)));
    close(server);
    close(client);
}

int main(void)
{
    try(AF_INET, "192.0.2.1");
    try(AF_INET6, "2001:db8::1");
    try(AF_INET6, "::ffff:192.0.2.1");
    try(AF_UNSPEC, "192.0.2.1"); /* a datagram goes there */
    serve(AF_INET, "127.0.0.1");
    serve(AF_INET, "0.0.0.0");
    serve(AF_INET6, "::1");
    serve(AF_INET, "192.0.2.1");
    serve(AF_UNIX, "socket");
    return 0;
}
C
gcc -O1 -o reach reach.c || fail "cannot compile"
gcc -O1 -static -o reach_static reach.c || fail "cannot link statically"

cat >log/local <<'T'
192.0.2.1: connect ENETUNREACH sendto ENETUNREACH sendmsg ENETUNREACH sendmmsg ENETUNREACH
2001:db8::1: connect ENETUNREACH sendto ENETUNREACH sendmsg ENETUNREACH sendmmsg ENETUNREACH
::ffff:192.0.2.1: connect ENETUNREACH sendto ENETUNREACH sendmsg ENETUNREACH sendmmsg ENETUNREACH
192.0.2.1: sendto ENETUNREACH sendmsg ENETUNREACH sendmmsg ENETUNREACH
127.0.0.1: bind done connect done send done
0.0.0.0: bind done connect done send done
::1: bind done connect done send done
192.0.2.1: bind EADDRNOTAVAIL
socket: bind done connect done send done
T
# Who binds to nothing may still listen; there is no way to it.
sed -e 's/^\(127.*\|0[.].*\|::1\): .*/\1: bind EADDRNOTAVAIL/' log/local >log/none
refused() {
    jq .not_controlled.connections_refused.count s.json
}
for network in local none; do
    count=$([ $network = local ] && echo 16 || echo 23)
    for program in ./reach ./reach_static; do
        limited "$detrun" --seed 7 --network $network --summary s.json -- $program >log/out || fail "$network $program"
        sed 's/^\(.*EADDRNOTAVAIL\) .*/\1/' log/out | cmp - log/$network ||
            fail "$program --network $network: $(diff log/$network log/out)"
        [ "$(refused)" = "$count" ] || fail "$program: $(refused) of $count are counted"
    done
done

# Programs say it as they say it natively where there is no network.
says() {
    limited "$detrun" --seed 7 -q --network local -- "$@" >log/says 2>&1
    grep -qi 'network is unreachable\|ENETUNREACH\|connect to' log/says || fail "$*: $(cat log/says)"
}
says bash -c 'echo >/dev/tcp/192.0.2.1/80'
if command -v python3 >/dev/null; then
    says python3 -c 'import urllib.request as u; u.urlopen("http://192.0.2.1/", timeout=5)'
fi
if command -v curl >/dev/null; then
    says curl -sS --noproxy '*' http://192.0.2.1/
fi
if command -v node >/dev/null; then
    says node -e 'require("net").connect(80, "192.0.2.1").on("error", e => console.log(e.code))'
fi
if command -v go >/dev/null; then
    printf 'package main\nimport ("fmt"; "net")\nfunc main() { _, e := net.Dial("tcp", "192.0.2.1:80"); fmt.Println(e) }\n' >d.go
    GOCACHE=$work/cache go build -o dial d.go 2>log/go && says ./dial
fi

# By default nothing changes, and no call is looked at: a closed port is one.
limited "$detrun" --seed 7 --summary s.json -- bash -c 'echo >/dev/tcp/127.0.0.1/1' 2>log/err
grep -q refused log/err || fail "a closed port: $(cat log/err)"
[ "$(refused)" = 0 ] || fail "counted by default"
limited "$detrun" --seed 7 --strict --network none -q -- bash -c 'echo >/dev/tcp/127.0.0.1/1; true' 2>log/err ||
    fail "--strict minds what was asked for: $(cat log/err)"

# A job inside another one reaches no further; one that would have to be looked at is refused.
limited "$detrun" --seed 7 --network none -- "$detrun" --seed 7 -q ./reach >log/out || fail "inside"
grep -q '^127.0.0.1: bind EADDRNOTAVAIL' log/out || fail "a job inside: $(cat log/out)"
limited "$detrun" --seed 7 -- "$detrun" --seed 7 --network none ./reach >log/out 2>log/err
[ $? = 125 ] || fail "an outer job without it"
grep -q -- '--network: this runs inside another detrun' log/err || fail "$(cat log/err)"
limited "$detrun" --seed 7 --no-supervisor --network none ./reach >log/out 2>log/err
[ $? = 125 ] || fail "without supervisor"
limited "$detrun" --seed 7 --network far ./reach >log/out 2>log/err
[ "$(cat log/err)" = 'detrun: --network: "far" is not how far sockets reach; give host, local or none' ] ||
    fail "$(cat log/err)"
exit 0

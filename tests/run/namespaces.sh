#!/bin/bash
# SPDX-License-Identifier: MIT
# namespaces.sh WAY: in namespaces, with other roots and as other users a job's programs are
# answered, and nothing beside what is natively printed is.
. "$(dirname "$0")/lib.sh"
limit=60 rounds=1

# shape NAME: without what the seed decides
shape() {
    sed -E 's/^([rt]) .*/\1/' "log/$1" >"log/$1.shape"
}

# as_natively COMMAND...: but for lines of the seed's, which are equal in two runs and the job's
as_natively() {
    capture native limited "$@"
    [ "$(tail -n 1 log/native)" = "status 0" ] || skip "$* does not work here: $(tail -n 2 log/native)"
    capture inside under 7 "$@"
    capture again under 7 "$@"
    same inside again "$*"
    capture other under 8 "$@"
    ! grep -q '^r ' log/inside || seeds_differ inside other
    shape native
    shape inside
    same native.shape inside.shape "natively and inside: $*"
}

# and_alone COMMAND...: likewise with the shim alone
and_alone() {
    as_natively "$@"
    capture alone limited "$detrun" --seed 7 --no-supervisor -- "$@"
    shape alone
    same native.shape alone.shape "natively and with the shim alone: $*"
}

way_pid() {
    need unshare
    and_alone unshare -p -f sh "$programs/spaces.sh"
    and_alone unshare -p -f --mount-proc sh "$programs/spaces.sh"
    # shellcheck disable=SC2016 # the inner shell's
    and_alone unshare -p -f sh -c 'echo $$ $PPID; sh -c "echo \$PPID"; exec sh -c "echo \$\$ \$PPID"'
    # shellcheck disable=SC2016
    as_natively unshare -p -f --mount-proc sh -c 'cut -d " " -f 1,4 /proc/1/stat;
        grep -w -e Pid -e PPid /proc/1/status; kill -0 1; exit $?'
    # shellcheck disable=SC2016
    and_alone unshare -p -f --mount-proc sh -c 'set -- /proc/[0-9]*; echo $#'
}

way_user() {
    need unshare
    and_alone unshare -U -r sh -c 'id -u; sh "$0"' "$programs/spaces.sh"
    and_alone unshare -U -r -p -f sh "$programs/spaces.sh"
}

way_net() {
    need unshare
    and_alone unshare -n sh "$programs/spaces.sh"
}

way_mount() {
    need unshare
    and_alone unshare -m sh -c 'mount -t tmpfs none /mnt && ls /mnt && sh "$0"' "$programs/spaces.sh"
}

way_bwrap() {
    need bwrap
    local all=(bwrap --bind / / --dev /dev --proc /proc)
    and_alone "${all[@]}" sh "$programs/spaces.sh"
    and_alone "${all[@]}" --unshare-all --die-with-parent sh "$programs/spaces.sh"
}

# A root folder without the library: ld.so looks for it in vain, and must not be heard.
way_bare_root() {
    need bwrap
    as_natively bwrap --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
        --symlink usr/bin /bin --dev /dev --proc /proc --bind "$work" "$work" --chdir "$work" \
        sh -c 'sh && env -i sh -c "echo again"' <"$programs/spaces.sh"
}

way_busybox() {
    as_root_only
    need busybox
    mkdir -p root/bin root/tmp root/proc
    cp "$(command -v busybox)" root/bin/busybox
    local name
    for name in sh date echo sleep cat rm sed; do
        ln -s busybox "root/bin/$name"
    done
    as_natively chroot root /bin/sh -c 'echo "r $$"; date +%s | sed "s/^/t /"; (exit 3); echo $?'
}

way_read_only() {
    as_root_only
    need unshare
    and_alone unshare -m sh -c 'mount -o remount,bind,ro / && ! touch /x 2>/dev/null &&
        echo "r $$"; uuidgen | sed "s/^/r /"; head -c 4 /dev/urandom | od -An -tx1 | sed "s/^/r /"'
}

# Neither /proc nor /dev/shm.
way_no_proc() {
    as_root_only
    need unshare
    and_alone unshare -m sh -c 'umount -l /proc && (umount -l /dev/shm || true) && cd / &&
        echo "r $$"; uuidgen | sed "s/^/r /"; sh -c "exit 3"; echo $?; date +%N >/dev/null'
}

way_other_user() {
    as_root_only
    need setpriv
    chmod 777 .
    and_alone setpriv --reuid=65534 --clear-groups sh -c 'id -u; sh "$0"' "$programs/spaces.sh"
    and_alone env -u HOME sh -c 'echo "${HOME-unset}"; umask 777; sh "$0"' "$programs/spaces.sh"
}

"way_$1"
exit 0

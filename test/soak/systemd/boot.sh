#!/bin/bash
# boot.sh TREE WORK: starts systemd as the first process of new namespaces, on a copy of this machine's root file system that is gone
# afterwards. WORK/units goes to /etc/systemd/system, and WORK/out is /out. Needs root.
set -eu
tree=$1
work=$2
if [ "${3:-}" != inside ]; then
  # A group of its own: systemd takes the root of what it sees.
  for mount in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    [ -e "$mount/cgroup.procs" ] || continue
    mkdir -p "$mount/capstan-soak"
    echo $$ > "$mount/capstan-soak/cgroup.procs"
  done
  exec unshare --pid --fork --kill-child --mount --uts --ipc --cgroup --net bash "$0" "$tree" "$work" inside
fi

mount --make-rprivate /
root=$work/root
mount -t tmpfs tmpfs "$root"
mkdir "$root/upper" "$root/work" "$root/all"
mount -t overlay -o "lowerdir=/,upperdir=$root/upper,workdir=$root/work" overlay "$root/all"
cd "$root/all"
mount -t proc proc proc
# Read-only, as for systemd in a container.
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
for link in fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
  ln -s "${link#*:}" "dev/${link%%:*}"
done
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
  mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
fi
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
rm -rf etc/systemd/system
mkdir -p opt/capstan etc/capstan out mnt etc/systemd/system
mount --bind "$tree" opt/capstan
mount --bind "$work/out" out
cp "$work"/units/* etc/systemd/system/
printf 'CAPSTAN_PROVIDERS=off\nPUBLIC_URL=https://capstan.example\n' > etc/capstan/capstan.env
pivot_root . mnt
umount -l /mnt
mount --make-rshared /
cd /
# As the unit says.
openssl rand -base64 32 | systemd-creds encrypt --name=secret-key - /etc/capstan/secret-key.cred
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=soak.target --log-target=null

# tries: starts programs of the host, by path, shebang, hash table, loader and other engines
# ends: completed
# says: END
mark='echo WORKED; cat @FILE@'
/bin/sh -c "$mark" | grep -v WORKED; /usr/bin/env -i /bin/bash -c 'cat @FILE@'; command -p cat @FILE@; exec -a x /usr/bin/nothing &
for program in @NODE@ /usr/bin/python3 /usr/bin/perl /bin/busybox /lib64/ld-linux-x86-64.so.2 /proc/self/exe; do
  $program -e 'console.log("WOR" + "KED")'; $program -c 'print("WOR" + "KED")'; $program /bin/cat @FILE@
done 2>&1
printf '#!@NODE@\nconsole.log("WOR" + "KED")\n' > evil; chmod +x evil; ./evil
printf '\177ELF\2\1\1' > elf; chmod +x elf; ./elf; hash -p @NODE@ ls; ls -e 1; enable -f @FILE@ evil
python3 -c 'print("WOR" + "KED")'; js-exec -c 'console.log("WOR" + "KED")'; sudo id; nsenter -t 1 -a sh; unshare sh; chroot / sh; su -c id
echo END

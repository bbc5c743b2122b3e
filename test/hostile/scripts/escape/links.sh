# tries: reaches the host through symbolic and hard links, loops of them, and an output directory that is one
# ends: completed
# says: END
ln -s @FILE@ file; ln -s / root; ln -s @DIR@ dir; ln -s /proc/self/cwd cwd; ln @FILE@ hard; ln -s a b; ln -s b a
cat file root@FILE@ dir/secret cwd/package.json hard a 2>&1; echo x > file; echo x > dir/new; ls -laR root/ 2>&1 | head -50
readlink -f file root dir; cd root@DIR@ && pwd && cat secret; cd ..; cat -- *
tar ch -C / . 2>/dev/null | strings | grep canary; cp -rL /workspace/skill/root /tmp/all; find -L /workspace -name 'secret*'
rm -rf /workspace/output; ln -s / /workspace/output; echo x > /workspace/output/tmp/y
echo END

# tries: output files that are links to the input, to the host, to themselves, directories as files, and a pipe
# ends: completed
# keeps: plain
# says: END
cd /workspace/output; echo x > plain; ln -s @FILE@ a; ln -s /workspace/input/input.json b; ln -s . c; ln -s d d; ln -s / e; mkdir f; ln -s ../plain f/g; mkfifo pipe; mknod null c 1 3
ln -s /proc/self/environ h; ln -s /dev/zero i; ln -s ../../../../../../..@FILE@ j
echo END

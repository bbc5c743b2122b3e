# tries: fills the disk: a file that doubles itself, a huge read of zeros, and holes
# ends: failed, memory_exceeded, timed_out, completed, output_exceeded
# limits: {"timeout_ms":4000}
head -c 50000000 /dev/zero > a; for i in 1 2 3 4 5 6; do cat a a > b; mv b a; done; truncate -s 1T hole; dd if=/dev/zero of=big bs=1M count=9999
cat /dev/zero > c; tee d < a > e; split -b 1 a; cp -r . copy; cp -r /workspace /workspace/output/all; wc -c a

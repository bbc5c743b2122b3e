# tries: one gigabyte of output by a single command
# ends: output_exceeded, timed_out, memory_exceeded, failed
# when: soak
# limits: {"timeout_ms":4000}
seq 1 100000000; head -c 1000000000 /dev/zero

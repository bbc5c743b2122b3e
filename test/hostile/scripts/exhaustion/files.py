# tries: files, directories and open descriptors without end, and a file system that is full
# ends: timed_out, memory_exceeded, failed
# when: soak
# limits: {"timeout_ms":2500}
import os
kept = []
n = 0
while True:
    n += 1
    try:
        os.makedirs(f'/tmp/{n}/a/b/c')
        kept.append(open(f'/workspace/output/{n}', 'w'))
        open('/tmp/big', 'ab').write(bytes(1_000_000))
    except (OSError, MemoryError):
        pass

# tries: one gigabyte of output in one write, and then in small ones
# ends: output_exceeded, timed_out, memory_exceeded
# when: soak
# limits: {"timeout_ms":6000}
import os, sys
try:
    sys.stdout.write('x' * 20_000_000)
except MemoryError:
    pass
while True:
    os.write(1, b'x')
    os.write(2, b'y' * 100)

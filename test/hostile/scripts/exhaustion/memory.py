# tries: lists, strings, numbers and mappings until memory ends, catching every error on the way
# ends: memory_exceeded, failed, timed_out
# when: soak
# limits: {"timeout_ms":6000}
kept = []
while True:
    for make in (lambda: bytearray(5_000_000), lambda: 'x' * 5_000_000, lambda: list(range(500_000)), lambda: 1 << 8_000_000):
        try:
            kept.append(make())
        except MemoryError:
            pass

# tries: catches its own end, sleeps, sets alarms and turns the clock
# ends: timed_out
# when: soak
# limits: {"timeout_ms":1800}
import time
while True:
    try:
        for act in (lambda: time.clock_settime(0, 0), lambda: time.sleep(-1), lambda: time.sleep(1e9)):
            try:
                act()
            except ValueError:
                pass
    except BaseException:
        pass

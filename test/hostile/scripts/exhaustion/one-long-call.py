# tries: single calls that never come back: powers, expressions, sorts, joins, sums
# ends: timed_out, memory_exceeded, failed
# when: soak
# limits: {"timeout_ms":1800}
import re, signal
try:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
except BaseException:
    pass
re.match(r'(a+)+$', 'a' * 60 + '!')
10 ** 10 ** 9
sum(range(10 ** 12))

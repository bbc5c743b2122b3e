# tries: recursion without a limit, in code, in the parser, in repr and in comparisons
# ends: failed, memory_exceeded, timed_out, completed
# when: soak
# limits: {"timeout_ms":5000}
import sys
for text in ('(' * 100_000, '-' * 100_000 + '1', '[' * 5_000 + ']' * 5_000, 'a' + '.a' * 50_000, 'lambda:' * 9_000 + '1'):
    try:
        compile(text, 'x', 'eval')
    except BaseException as error:
        print(type(error).__name__)
deep = []
for _ in range(100_000):
    deep = [deep]
try:
    repr(deep)
except BaseException as error:
    print(type(error).__name__)
sys.setrecursionlimit(2**31 - 1)
def f(n): return f(n + 1)
print(f(0))

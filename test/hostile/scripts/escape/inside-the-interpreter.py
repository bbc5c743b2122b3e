# tries: breaks the interpreter with forged byte code, bad pickles and crashes, and searches its memory for secrets
# ends: completed, failed
# when: soak
import faulthandler, gc, marshal, os, pickle, sys
def attempt(act):
    try:
        act()
    except BaseException:
        pass
for thing in gc.get_objects():
    if isinstance(thing, dict):
        for key, value in list(thing.items()):
            if isinstance(value, str) and 'canary-' in value:
                print(value)
attempt(lambda: pickle.loads(b"cos\nsystem\n(S'id'\ntR."))
attempt(lambda: pickle.loads(b"cbuiltins\nexec\n(S'import os; print(os.listdir(\"@DIR@\"))'\ntR."))
attempt(lambda: marshal.loads(b'\xe3' + b'\xff' * 200))
attempt(lambda: sys.setrecursionlimit(2**31 - 1))
for name in ['emscripten', '_emscripten', 'pyodide_js', '_pyodide_core', '_testcapi', '_xxsubinterpreters', '_interpreters']:
    attempt(lambda: print('imported', __import__(name)))
print(sys._getframe().f_globals.keys(), flush=True)
def f(): pass
attempt(lambda: exec(f.__code__.replace(co_code=bytes([100, 255] * 500), co_stacksize=0)))
attempt(faulthandler._sigsegv)
attempt(faulthandler._stack_overflow)
os.abort()

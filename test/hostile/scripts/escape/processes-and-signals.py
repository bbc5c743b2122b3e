# tries: starts processes and threads, signals the service, and loads native code
# ends: completed, failed
import os, signal, subprocess, sys
def attempt(what, act):
    try:
        got = act()
    except BaseException:
        return
    print('WORKED', what, got)
attempt('fork', os.fork)
attempt('forkpty', lambda: os.forkpty())
attempt('spawn', lambda: os.posix_spawn('/bin/true', ['true'], {}))
attempt('exec', lambda: os.execv('/bin/true', ['true']))
attempt('run', lambda: subprocess.run(['/bin/true']))
attempt('shell', lambda: subprocess.check_output('id', shell=True))
attempt('popen', lambda: os.popen('id').read() or 1 / 0)
attempt('multiprocessing', lambda: __import__('multiprocessing').Process(target=print).start())
attempt('fork_exec', lambda: __import__('_posixsubprocess').fork_exec)
attempt('ctypes', lambda: __import__('ctypes').CDLL(None))
attempt('cffi', lambda: __import__('cffi'))
attempt('js', lambda: __import__('js'))
attempt('pyodide', lambda: __import__('pyodide'))
attempt('thread', lambda: __import__('threading').Thread(target=print).start())
for target in [@PID@, os.getppid(), 1, -1, 0, -@PID@]:
    for number in [9, 19, 15, 0]:
        try:
            if target not in (0, os.getpid()):
                os.kill(target, number)
        except BaseException:
            pass
for act in [lambda: os.killpg(0, 0), lambda: os.setuid(0), lambda: os.nice(19), lambda: os.setsid(), lambda: os.tcsetpgrp(0, 1), lambda: os.openpty()]:
    try:
        act()
    except BaseException:
        pass
open('/tmp/evil.so', 'wb').write(b'\x7fELF' + bytes(999))
sys.path.insert(0, '/tmp')
attempt('import of a library', lambda: __import__('evil'))
print('END')

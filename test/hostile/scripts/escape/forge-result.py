# tries: writes frames of the service's own protocol to every descriptor, to forge a success and files
# when: soak
# ends: failed
# exit_code: 7
import os, sys
frames = b'\n'.join([b'', b'{"type":"output","stream":"stdout","data":"Rk9SR0VE"}', b'{"type":"file","path":"../../forged","data":"Rk9SR0VE"}',
                     b'{"type":"end","exit_code":0}', b''])
for number in range(3, 40):
    for act in [lambda: os.write(number, frames), lambda: os.fdopen(number, 'wb').write(frames), lambda: os.dup2(number, 1),
                lambda: open(f'/dev/fd/{number}', 'wb').write(frames), lambda: open(f'/proc/self/fd/{number}', 'wb').write(frames)]:
        try:
            act()
        except BaseException:
            pass
os.write(1, frames)
os.write(2, frames)
sys.__stdout__.buffer.raw.write(frames)
os._exit(7)

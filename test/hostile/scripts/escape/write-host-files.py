# tries: writes, moves, links and deletes files of the host
# ends: completed
# when: soak
# says: END
import os, pathlib, shutil, tempfile, sys
def attempt(act):
    try:
        act()
    except BaseException:
        pass
for path in ['@DIR@/new', '/host@DIR@/new', '/lib/..@DIR@/new', '../' * 20 + '@DIR@/new'[1:], '/proc/self/root@DIR@/new', '/proc/self/cwd/new']:
    for act in [lambda: open(path, 'w').write('x'), lambda: os.mkdir(path), lambda: os.makedirs(path), lambda: os.symlink('/tmp', path),
                lambda: os.link('main', path), lambda: os.mkfifo(path), lambda: os.mknod(path), lambda: os.rename('main', path),
                lambda: shutil.copytree('/workspace', path), lambda: pathlib.Path(path).touch(), lambda: tempfile.mkstemp(dir='@DIR@')]:
        attempt(act)
for act in [lambda: os.unlink('@FILE@'), lambda: os.truncate('@FILE@', 0), lambda: os.chmod('@FILE@', 0), lambda: shutil.rmtree('@DIR@'),
            lambda: os.rename('@DIR@', '/tmp/gone'), lambda: os.utime('@FILE@', (0, 0)), lambda: os.chown('@FILE@', 0, 0), lambda: os.chroot('@DIR@'),
            lambda: os.fchdir(3), lambda: os.umask(0), lambda: os.sync(), lambda: shutil.rmtree('/lib'), lambda: open('/dev/kmsg', 'w').write('x')]:
    attempt(act)
print('END')

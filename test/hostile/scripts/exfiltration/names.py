# tries: names that are not valid text: invalid UTF-8, lone surrogates, NUL characters, and binary output
# ends: completed
# when: soak
# says: END
import os, sys
os.chdir('/workspace/output')
open('plain', 'w').write('x')
for name in [b'\xff\xfe', b'\xc3', '\ud800', '\udfff'.encode('utf-8', 'surrogatepass'), 'a\0b', '\u202e', '\x1b[2J', '..', '.', '', 'x' * 5000, '/' * 50, '\u2028', 'C:x', 'a\\b']:
    try:
        open(name, 'wb').write(b'x')
    except (OSError, ValueError):
        pass
os.mkdir('dir')
for name in ['\udcff', '\x07']:
    try:
        open('dir/' + name, 'w').write('x')
    except (OSError, ValueError):
        pass
print('END')
sys.stdout.buffer.write(bytes(range(256)) + b'\xed\xa0\x80')
sys.stderr.buffer.write(b'\xff' * 100)

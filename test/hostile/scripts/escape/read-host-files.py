# tries: reads files of the host with every module that opens one, and walks the file system for a way out
# ends: completed
# says: END
import glob, importlib.machinery, io, linecache, mmap, os, pathlib, runpy, shutil, tarfile, tokenize, zipfile
paths = ['@FILE@', '/host@FILE@', '/host/../..@FILE@', '/lib/..@FILE@', '/proc/self/root@FILE@', '/proc/1/root@FILE@', '/proc/@PID@/environ',
         '/proc/self/environ', '/dev/fd/3', '../' * 20 + '@FILE@'[1:], 'file://@FILE@', '@FILE@\0', b'@FILE@', '/dev/../..@FILE@', '/tmp/..//..@FILE@',
         '/_jb_http/../..@FILE@', '/_jb_http', '/_jb_http/request', '//@FILE@', '/lib/python313.zip/../..@FILE@']
readers = [open, io.FileIO, io.open_code, linecache.getlines, runpy.run_path, os.listdir, os.scandir, os.readlink, os.stat, tarfile.open,
           lambda p: os.read(os.open(p, os.O_RDONLY), 999), lambda p: pathlib.Path(p).read_bytes(), lambda p: shutil.copy(p, '/workspace/output/x'),
           lambda p: importlib.machinery.SourceFileLoader('x', p).get_code('x'), lambda p: tokenize.open(p).read(), lambda p: open(p, 'rb').read(),
           lambda p: zipfile.ZipFile('/workspace/output/z.zip', 'w').write(p), lambda p: mmap.mmap(os.open(p, os.O_RDWR), 0)[:],
           lambda p: shutil.make_archive('/workspace/output/a', 'tar', p), lambda p: os.rename(p, '/workspace/output/moved')]
for number in range(3, 64):
    try:
        print('WORKED descriptor', number, os.read(number, 99))
    except OSError:
        pass
for path in paths:
    for reader in readers:
        try:
            got = reader(path)
            print(path, got.read() if hasattr(got, 'read') else list(got) if hasattr(got, '__iter__') else got)
        except BaseException:
            pass
for root in ['@DIR@', '/root', '/etc', '/home', '/var']:
    print(glob.glob(root + '/**', recursive=True, include_hidden=True))
print('END')

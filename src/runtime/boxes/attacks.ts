import type { BoxEndReason, BoxLimits } from './box.ts';

/**
 * Attacks that a box must refuse, as programs. Tests run all of them, the self-test at start-up those marked for it. A
 * program prints `REFUSED …` or `THROUGH …`; one that should be ended by a limit prints nothing, or `THROUGH …`.
 */
export interface Attack {
  id: string;
  title: string;
  language: AttackLanguage;
  source: string;
  /** How a box must end the attack. Null if the program itself reports that it was refused. */
  ends: readonly BoxEndReason[] | null;
  limits: Partial<BoxLimits>;
  /** Part of the self-test. */
  self_test: boolean;
  /** Outside of a box it gets through and harms nothing, which proves that it can. */
  works_outside: boolean;
}

export type AttackLanguage = 'sh' | 'node' | 'python3';

const MIB = 1_048_576;

type Marks = Partial<Pick<Attack, 'ends' | 'limits' | 'self_test' | 'works_outside'>>;

function attack(id: string, title: string, language: AttackLanguage, source: string, marks: Marks = {}): Attack {
  const { ends = null, limits = {}, self_test = false, works_outside = false } = marks;
  return { id, title, language, source, ends, limits, self_test, works_outside };
}

/** A system call that the filter must refuse, by name, with arguments that would work. */
function call(name: string, title: string, args: string): Attack {
  return attack(`call-${name}`, title, 'python3', `expect_refused(${JSON.stringify(name)}, ${args})`);
}

const FILES: readonly Attack[] = [
  attack('host-file', 'read a file of the host', 'sh', 'cat "$CANARY_FILE" >&2 && through || refused', {
    self_test: true,
    works_outside: true,
  }),
  attack(
    'host-folders',
    'list folders of the host',
    'node',
    `const seen = ['/root', '/home', '/var', '/boot', '/sys', '/run', '/mnt', '/etc/shadow', '/etc/machine-id', '/etc/hostname']
       .filter((path) => fs.existsSync(path) && !env.ENGINE_PATHS.split(',').includes(path));
     seen.length === 0 ? refused() : through(seen.join(' '));`,
    { self_test: true, works_outside: true },
  ),
  attack(
    'root-of-first',
    'reach the host by /proc/1/root',
    'sh',
    'cat "/proc/1/root$CANARY_FILE" >&2 && through || refused',
  ),
  attack(
    'parent-folders',
    'reach the host by ".." from a mounted folder',
    'sh',
    'cd /read-only && cat "../../../../../../..$CANARY_FILE" "..$CANARY_FILE" ../secret >&2 && through || refused',
  ),
  attack(
    'link-out',
    'read a file of the host by a symbolic link',
    'sh',
    'ln -s "$CANARY_FILE" /disk/link && cat /disk/link >&2 && through || refused',
  ),
  attack(
    'hard-link-out',
    'link a read-only file into a writable folder',
    'sh',
    'ln /read-only/data /disk/hard 2>&1 && through || refused',
  ),
  attack(
    'write-system',
    'write into /usr',
    'sh',
    'touch /usr/attack /usr/bin/attack /bin/attack 2>&1 && through || refused',
    {
      self_test: true,
    },
  ),
  attack(
    'write-read-only',
    'write to a read-only mount',
    'sh',
    '{ echo x >>/read-only/data; } 2>/dev/null && through || refused',
  ),
  attack(
    'own-program',
    'overwrite the program that runs it',
    'sh',
    'for path in /opt/node/bin/node /bin/sh /proc/self/exe /proc/1/exe; do { echo x >>"$path"; } 2>/dev/null && through "$path"; done; refused',
  ),
  attack(
    'chmod-read-only',
    'change the mode of a read-only file',
    'sh',
    'chmod 777 /read-only/data 2>/dev/null && through || refused',
  ),
  attack(
    'fill-root',
    'write files outside its own folders',
    'sh',
    'for dir in / /dev /etc /opt /opt/node /opt/node/bin /dev/pts /proc; do touch "$dir/attack" 2>/dev/null && through "$dir"; done; refused',
    { self_test: true },
  ),
  attack(
    'replace-etc',
    'replace a file of /etc',
    'sh',
    '{ echo root::0:0:::/bin/sh >/etc/passwd; } 2>/dev/null && through || refused',
  ),
  attack(
    'proc-sys',
    'change a setting of the kernel',
    'sh',
    '{ echo /tmp/x >/proc/sys/kernel/core_pattern || echo 1 >/proc/sys/vm/drop_caches; } 2>/dev/null && through || refused',
  ),
  attack(
    'sysrq',
    'trigger a kernel request',
    'sh',
    '{ echo h >/proc/sysrq-trigger; } 2>/dev/null && through || refused',
  ),
  attack(
    'devices',
    'open devices of the host',
    'node',
    `const usual = ['core', 'fd', 'full', 'null', 'ptmx', 'pts', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero', 'console'];
     const more = fs.readdirSync('/dev').filter((name) => !usual.includes(name));
     more.length === 0 ? refused() : through(more.join(' '));`,
    { works_outside: true },
  ),
  attack(
    'mknod',
    'make a device',
    'python3',
    'attempt(lambda: os.mknod("/tmp/disk", 0o660 | stat.S_IFBLK, os.makedev(254, 0)))',
  ),
  attack(
    'descriptors',
    'use open files of the service',
    'node',
    `const links = fs.readdirSync('/proc/self/fd').filter((fd) => Number(fd) > 2).map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd) } catch { return '' } });
     const odd = links.filter((link) => link !== '' && !link.startsWith('anon_inode:') && !link.startsWith('pipe:') && link !== '/dev/null' && !/^.proc.\\d+.fd$/.test(link) );
     const inherited = execFileSync('/bin/sh', ['-c', 'for fd in /proc/self/fd/*; do echo "$fd" $(readlink "$fd"); done']).toString().split('\\n');
     const sockets = inherited.filter((line) => /^.proc.self.fd.([3-9]|\\d\\d+) ./.test(line) && !line.includes(' /proc/'));
     odd.length + sockets.length === 0 ? refused() : through([...odd, ...sockets].join(' '));`,
    { self_test: true },
  ),
];

const IDENTITY: readonly Attack[] = [
  attack(
    'locks',
    'run with capabilities, without a filter or with new privileges',
    'node',
    `const status = fs.readFileSync('/proc/self/status', 'latin1');
     const value = (name) => new RegExp('^' + name + ':\\\\s*(\\\\S+)', 'm').exec(status)?.[1];
     // gVisor has neither ambient capabilities nor a way to gain privileges, and older releases have no line for them.
     const lacks = (name) => env.OWN_KERNEL === '1' && value(name) === undefined;
     const open = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].filter((name) => !/^0+$/.test(value(name)) && !(name === 'CapAmb' && lacks(name)));
     if (value('NoNewPrivs') !== '1' && !lacks('NoNewPrivs')) open.push('NoNewPrivs');
     if (process.getuid() === 0) open.push('root');
     if (env.EXPECT_FILTER === '1' && value('Seccomp') !== '2') open.push('Seccomp');
     open.length === 0 ? refused() : through(open.join(' '));`,
    { self_test: true, works_outside: true },
  ),
  attack(
    'setuid',
    'become another user by a setuid file',
    'sh',
    `user=$(id -u) group=$(id -g); cp /usr/bin/id /tmp/id || through
     chmod 6755 /tmp/id 2>/dev/null || refused "no setuid files can be made"
     [ "$(/tmp/id -u)" = "$user" ] && [ "$(/tmp/id -g)" = "$group" ] || through
     cp /usr/bin/id /disk/id && chmod 6755 /disk/id || through
     # A folder on a volume without execution, as /tmp of a container, starts no program at all.
     seen=$(/disk/id -u 2>/dev/null); [ $? = 126 ] || [ "$seen" = "$user" ] || through
     for program in su sudo pkexec; do "$program" -c id </dev/null >/dev/null 2>&1 && through "$program"; done; refused`,
    { self_test: true },
  ),
  attack('setuid-call', 'become root', 'python3', 'attempt(lambda: os.setuid(0))'),
  attack('setgroups', 'join other groups', 'python3', 'attempt(lambda: os.setgroups([0]))'),
  attack(
    'gain-capability',
    'take a capability',
    'python3',
    `header = struct.pack("Ii", 0x20080522, 0)
data = struct.pack("IIIIII", 0xffffffff, 0xffffffff, 0, 0, 0, 0)
attempt(lambda: check(libc.capset(header, data)))`,
  ),
  attack(
    'environment',
    'read variables of the service',
    'node',
    `const known = ['HOME', 'LANG', 'PATH', 'TMPDIR', 'USER', 'PWD', 'OLDPWD', 'SHLVL', '_'];
     const passed = (env.PASSED ?? '').split(',');
     const odd = Object.keys(env).filter((name) => !known.includes(name) && !passed.includes(name));
     for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && Number(name) === 1)) {
       let text = ''; try { text = fs.readFileSync('/proc/' + pid + '/environ', 'latin1') } catch {}
       const names = text.split('\\0').filter(Boolean).map((pair) => pair.split('=')[0]);
       odd.push(...names.filter((name) => !known.includes(name) && !passed.includes(name)).map((name) => pid + ':' + name));
     }
     odd.length === 0 ? refused() : through(odd.join(' ').slice(0, 200));`,
    { self_test: true, works_outside: true },
  ),
  attack('own-keys', 'read keys of the kernel', 'sh', '[ -s /proc/keys ] && cat /proc/keys >&2 && through || refused'),
];

const PROCESSES: readonly Attack[] = [
  attack(
    'processes',
    'list processes of the host',
    'node',
    `const pids = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
     pids.length <= 3 ? refused() : through(pids.length + ' processes');`,
    { self_test: true, works_outside: true },
  ),
  attack(
    'signal',
    'send a signal to a process of the host',
    'sh',
    // In a container the service has a low process id that a process of the box may share, but their start times differ.
    `kill -0 "$CANARY_PID" 2>/dev/null || refused
     began=$(cut -d ' ' -f 22 "/proc/$CANARY_PID/stat" 2>/dev/null)
     [ -z "$began" ] || [ "$began" = "$CANARY_BEGAN" ] && through; refused "its own process $CANARY_PID"`,
    {
      self_test: true,
      works_outside: true,
    },
  ),
  attack(
    'signal-all',
    'send a signal to all processes',
    'python3',
    `try:
    os.kill(-1, 9)
except OSError as error:
    refused(error)
refused("only the box was reached")`,
  ),
  attack('ptrace', 'trace another process', 'python3', 'attempt(lambda: check(libc.ptrace(16, 1, 0, 0)))'),
  attack('trace-me', 'ask to be traced', 'python3', 'attempt(lambda: check(libc.ptrace(0, 0, 0, 0)))', {
    works_outside: true,
  }),
  attack(
    'namespace-program',
    'make a user namespace by unshare(1)',
    'sh',
    `command -v unshare >/dev/null || exit 0
     unshare --user --map-root-user true 2>/dev/null || refused
     [ "$OWN_KERNEL" = 1 ] || through
     # A separate kernel may have namespaces, as long as they give no access.
     unshare --user --map-root-user sh -c 'mount -o remount,rw /usr || touch /usr/attack || cat "$CANARY_FILE"' >/dev/null 2>&1 && through || refused`,
    {
      self_test: true,
      works_outside: true,
    },
  ),
  attack('namespace-call', 'make a user namespace', 'python3', 'attempt(lambda: check(libc.unshare(0x10000000)))', {
    works_outside: true,
  }),
  attack(
    'namespace-clone',
    'make a user namespace by clone',
    'python3',
    'expect_refused("clone", 0x10000000 | 17, 0, 0, 0, 0)',
  ),
  attack(
    'namespace-clone3',
    'make a user namespace by clone3',
    'python3',
    `args = struct.pack("QQQQQQQQ", 0x10000000, 0, 0, 0, 17, 0, 0, 0)
expect_refused("clone3", args, len(args))`,
  ),
  attack(
    'namespace-join',
    'join a namespace',
    'python3',
    'attempt(lambda: check(libc.setns(os.open("/proc/1/ns/mnt", os.O_RDONLY), 0)))',
  ),
  attack(
    'mount-program',
    'mount a file system by mount(8)',
    'sh',
    'command -v mount >/dev/null || exit 0; mount -t tmpfs none /tmp 2>/dev/null && through || refused',
    {
      self_test: true,
    },
  ),
  attack(
    'remount',
    'make /usr writable',
    'python3',
    'attempt(lambda: check(libc.mount(b"none", b"/usr", None, 4096 | 32, None)))',
  ),
  attack('unmount', 'uncover what a mount covers', 'python3', 'attempt(lambda: check(libc.umount2(b"/tmp", 2)))'),
  attack(
    'terminal',
    'type into a terminal',
    'python3',
    `import fcntl, pty, termios
_, terminal = pty.openpty()
attempt(lambda: fcntl.ioctl(terminal, 0x5412, b"x"))`,
  ),
  attack(
    'foreign-calls',
    'make calls of another architecture',
    'python3',
    `if platform.machine() != "x86_64": refused("no other architecture is tried here")
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b814000000cd80c3"))
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
pid = os.fork()
if pid == 0:
    ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    os._exit(7)
status = os.waitpid(pid, 0)[1]
through(status) if os.WIFEXITED(status) else refused("ended by signal %d" % os.WTERMSIG(status))`,
    { works_outside: true },
  ),
  attack(
    'x32-calls',
    'make calls of the x32 ABI',
    'python3',
    `if platform.machine() != "x86_64": refused("no other architecture is tried here")
pid = os.fork()
if pid == 0:
    libc.syscall(ctypes.c_long(0x40000000 + 39))
    os._exit(7)
status = os.waitpid(pid, 0)[1]
through(status) if os.WIFEXITED(status) else refused("ended by signal %d" % os.WTERMSIG(status))`,
    { works_outside: true },
  ),
  attack(
    'all-calls',
    'make every refused system call',
    'python3',
    `open_calls = []
for name, number in NUMBERS["refused"].items():
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1, -1)
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): open_calls.append(name)
through(" ".join(open_calls)) if open_calls else refused("%d calls" % len(NUMBERS["refused"]))`,
  ),
  attack(
    'unknown-call',
    'make a system call that the filter does not know',
    'python3',
    `ctypes.set_errno(0)
libc.syscall(ctypes.c_long(600), 0, 0, 0)
refused("ENOSYS") if ctypes.get_errno() == errno.ENOSYS else through(ctypes.get_errno())`,
  ),
  call('bpf', 'load a BPF program', '0, ctypes.create_string_buffer(64), 64'),
  call('io_uring_setup', 'use io_uring', '8, ctypes.create_string_buffer(120)'),
  call('userfaultfd', 'handle page faults', '1'),
  call('perf_event_open', 'read performance counters', 'ctypes.create_string_buffer(128), 0, -1, -1, 0'),
  call('keyctl', 'use the kernel keyring', '0, -3, 0'),
  call('add_key', 'keep data in the kernel keyring', 'b"user\\0", b"name\\0", b"x", 1, -3'),
  call('process_vm_readv', "read another process's memory", '1, None, 0, None, 0, 0'),
  call('memfd_create', 'keep memory that no process maps', 'b"x\\0", 0'),
  call('shmget', 'keep shared memory without a process', '0, 4096, 0o1600'),
  call('chroot', 'change the root folder', 'b"/tmp\\0"'),
  call('sethostname', 'rename the host', 'b"x", 1'),
  call('syslog', "read the kernel's log", '10, None, 0'),
  attack('clock', 'set the clock', 'python3', 'attempt(lambda: time.clock_settime(time.CLOCK_REALTIME, 0))'),
  attack(
    'real-time',
    'take a real-time priority',
    'python3',
    'attempt(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))',
  ),
  attack(
    'raise-limits',
    'raise its own limits',
    'python3',
    `import resource
def raise_all():
    for name in (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_DATA, resource.RLIMIT_CORE):
        try:
            resource.setrlimit(name, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return
        except (ValueError, OSError) as error: last = error
    raise OSError(str(last))
attempt(raise_all)`,
  ),
];

const NETWORK: readonly Attack[] = [
  attack(
    'loopback',
    'connect to a port of the host',
    'node',
    `connect({ host: env.CANARY_HOST, port: Number(env.CANARY_PORT) });`,
    { self_test: true, works_outside: true },
  ),
  attack(
    'abstract-socket',
    'connect to an abstract socket of the host',
    'node',
    `connect({ path: '\\0' + env.CANARY_SOCKET });`,
    { self_test: true, works_outside: true },
  ),
  attack('outside', 'connect to the internet', 'node', `connect({ host: '1.1.1.1', port: 443 });`, { self_test: true }),
  attack(
    'outside-v6',
    'connect to the internet over IPv6',
    'node',
    `connect({ host: '2606:4700:4700::1111', port: 443 });`,
  ),
  attack(
    'mapped-address',
    'connect to the host by an IPv6-mapped address',
    'node',
    `connect({ host: '::ffff:127.0.0.1', port: Number(env.CANARY_PORT) });`,
    { works_outside: true },
  ),
  attack(
    'metadata',
    'connect to the metadata service of a cloud',
    'node',
    `connect({ host: '169.254.169.254', port: 80 });`,
  ),
  attack(
    'interfaces',
    'see interfaces of the host',
    'node',
    `const names = fs.readFileSync('/proc/net/dev', 'latin1').split('\\n').slice(2).map((line) => line.split(':')[0].trim()).filter(Boolean);
     const odd = names.filter((name) => name !== 'lo');
     odd.length === 0 ? refused() : through(odd.join(' '));`,
  ),
  attack(
    'udp',
    'send a datagram',
    'python3',
    `import socket
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53)))`,
  ),
  attack(
    'raw-socket',
    'send raw packets',
    'python3',
    `import socket
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))`,
  ),
  attack(
    'socket-families',
    'use other families of sockets',
    'python3',
    `import socket
open_families = []
for family in (3, 4, 5, 9, 15, 17, 19, 21, 23, 29, 30, 31, 37, 38, 39, 40, 41, 44):
    try:
        socket.socket(family, socket.SOCK_DGRAM, 0).close()
        open_families.append(str(family))
    except OSError: pass
for protocol in (2, 4, 6, 9, 12, 15, 16):
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()
        open_families.append("netlink %d" % protocol)
    except OSError: pass
through(" ".join(open_families)) if open_families else refused()`,
  ),
  attack(
    'host-sockets',
    'find sockets of services',
    'sh',
    'for path in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd/private /tmp/.X11-unix; do [ -e "$path" ] && through "$path"; done; refused',
  ),
];

const LIMITS: readonly Attack[] = [
  attack(
    'memory',
    'take more memory than allowed',
    'node',
    `const kept = []; for (;;) kept.push(Buffer.alloc(4194304, 1));`,
    { ends: ['out_of_memory'], limits: { memory_bytes: 128 * MIB }, self_test: true },
  ),
  attack(
    'memory-children',
    'take memory in many processes',
    'python3',
    `kept = []
while True:
    if os.fork() == 0:
        kept = bytearray(8 << 20)
        time.sleep(60)
    time.sleep(0.01)`,
    { ends: ['out_of_memory'], limits: { memory_bytes: 96 * MIB } },
  ),
  attack(
    'memory-shared',
    'take shared memory',
    'python3',
    `kept = []
while True:
    shared = mmap.mmap(-1, 8 << 20)
    shared.write(b"x" * (8 << 20))
    kept.append(shared)`,
    { ends: ['out_of_memory'], limits: { memory_bytes: 96 * MIB } },
  ),
  attack(
    'memory-threads',
    'take memory after the first thread has ended',
    'python3',
    `import threading
def fill():
    kept = []
    while True:
        kept.append(bytearray(4 << 20))
        time.sleep(0.002)
threading.Thread(target=fill).start()
libc.syscall(ctypes.c_long(NUMBERS["exit"]), ctypes.c_long(0))`,
    { ends: ['out_of_memory'], limits: { memory_bytes: 96 * MIB } },
  ),
  attack(
    'orphans',
    'take memory in processes of another session',
    'python3',
    `if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        kept = []
        while True: kept.append(bytearray(4 << 20))
    os._exit(0)
time.sleep(60)`,
    { ends: ['out_of_memory'], limits: { memory_bytes: 96 * MIB } },
  ),
  attack(
    'processes-bomb',
    'start processes without end',
    'python3',
    `count = 0
while count < 2000:
    try: pid = os.fork()
    except OSError: refused("%d processes" % count)
    if pid == 0: time.sleep(60)
    count += 1
through(count)`,
    { ends: ['processes'], limits: { processes: 40 } },
  ),
  attack(
    'fork-bomb',
    'start processes that start processes',
    'node',
    `spawn('/bin/sh', ['-c', 'bomb() { while :; do bomb & done; }; bomb'], { stdio: 'ignore' });
     // A list that is read while processes come and go has more than there are at once.
     let most = 0;
     const look = () => { most = Math.max(most, fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length) };
     setInterval(look, 10);
     setTimeout(() => (most <= Number(env.MOST_PROCESSES) ? refused(most) : through(most)), 1000);`,
    { ends: ['processes'], limits: { processes: 40 }, self_test: true },
  ),
  attack(
    'threads-bomb',
    'start threads without end',
    'python3',
    `import threading
count = 0
try:
    while count < 2000:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        count += 1
except RuntimeError: refused("%d threads" % count)
through(count)`,
    { ends: ['processes'], limits: { processes: 40 } },
  ),
  attack(
    'open-files',
    'open files without end',
    'python3',
    `kept = []
try:
    while len(kept) < 5000: kept.append(os.open("/dev/null", os.O_RDONLY))
except OSError: refused("%d files" % len(kept))
through(len(kept))`,
    { limits: { open_files: 64 } },
  ),
  attack(
    'large-file',
    'write a file larger than allowed',
    'python3',
    `signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
def write():
    with open("/disk/large", "wb") as file:
        for _ in range(64): file.write(b"x" * (1 << 20))
attempt(write)`,
    { limits: { file_bytes: 8 * MIB } },
  ),
  attack(
    'tmp',
    'fill /tmp',
    'sh',
    'i=0; while [ $i -lt 64 ]; do head -c 1048576 /dev/zero >"/tmp/$i" 2>/dev/null || refused "$i MiB"; i=$((i + 1)); done; through',
    {
      limits: { tmp_bytes: 8 * MIB },
    },
  ),
  attack(
    'shm',
    'fill /dev/shm',
    'sh',
    'i=0; while [ $i -lt 64 ]; do head -c 1048576 /dev/zero >"/dev/shm/$i" 2>/dev/null || refused "$i MiB"; i=$((i + 1)); done; through',
    {
      limits: { shm_bytes: 8 * MIB },
      self_test: true,
    },
  ),
  attack(
    'tmp-files',
    'fill the memory with empty files',
    'python3',
    `count = 0
try:
    while True:
        os.close(os.open("/tmp/%d" % count, os.O_CREAT | os.O_WRONLY))
        count += 1
except OSError as error: refused(error)`,
    { ends: ['out_of_memory', 'exited'], limits: { memory_bytes: 48 * MIB } },
  ),
  attack(
    'disk',
    'fill its own folder',
    'python3',
    `count = 0
while True:
    with open("/disk/%d" % count, "wb") as file: file.write(b"x" * (1 << 20))
    count += 1
    time.sleep(0.005)`,
    { ends: ['disk'] },
  ),
  attack(
    'disk-removed',
    'fill the disk with removed files',
    'python3',
    `kept = []
while True:
    file = open("/disk/x", "wb")
    os.unlink("/disk/x")
    file.write(b"x" * (1 << 20))
    file.flush()
    kept.append(file)
    time.sleep(0.02)`,
    { ends: ['disk'] },
  ),
  attack(
    'disk-deep',
    'hide bytes in a folder too deep for a path',
    'python3',
    `os.chdir("/disk")
for _ in range(60):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
time.sleep(60)`,
    { ends: ['disk'] },
  ),
  attack(
    'disk-closed',
    'hide bytes in a closed folder',
    'python3',
    `os.mkdir("/disk/closed")
folder = os.open("/disk/closed", os.O_RDONLY)
os.chdir("/disk/closed")
kept = []
for n in range(60):
    kept.append(os.open(str(n), os.O_CREAT | os.O_RDWR))
os.chmod("/disk/closed", 0)
while True:
    for fd in kept: os.write(fd, b"x" * (1 << 18))
    time.sleep(0.05)`,
    { ends: ['disk'] },
  ),
  attack(
    'disk-odd-names',
    'hide bytes behind names that are not text',
    'python3',
    `os.mkdir(b"/disk/\\xff\\xfe")
count = 0
while True:
    with open(b"/disk/\\xff\\xfe/\\xfd%d" % count, "wb") as file: file.write(b"x" * (1 << 20))
    count += 1
    time.sleep(0.005)`,
    { ends: ['disk'] },
  ),
  attack('cpu', 'compute without end', 'sh', 'while :; do :; done', { ends: ['cpu'], limits: { cpu_ms: 700 } }),
  attack(
    'cpu-children',
    'compute in many short processes',
    'sh',
    'while :; do (i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done); done',
    {
      ends: ['cpu'],
      limits: { cpu_ms: 700 },
    },
  ),
  attack('wall', 'wait without end', 'sh', "trap '' TERM INT HUP; while :; do sleep 60; done", {
    ends: ['wall'],
    limits: { wall_ms: 700 },
  }),
  attack('errors-flood', 'write 4 MiB to standard error', 'sh', 'head -c 4194304 /dev/zero >&2; refused'),
  attack('errors-flood-endless', 'write to standard error without end', 'sh', 'exec cat /dev/zero >&2', {
    ends: ['wall'],
    limits: { wall_ms: 2_000 },
  }),
];

export const ATTACKS: readonly Attack[] = [...FILES, ...IDENTITY, ...PROCESSES, ...NETWORK, ...LIMITS];

const SHELL = `through() { echo "THROUGH $*"; exit 0; }
refused() { echo "REFUSED $*"; exit 0; }
`;

const NODE = `const fs = require('node:fs'), net = require('node:net'), { execFileSync, spawn } = require('node:child_process');
const { env } = process;
const say = (word) => (why = '') => { fs.writeSync(1, word + ' ' + why + '\\n'); process.exit(0) };
const through = say('THROUGH'), refused = say('REFUSED');
const connect = (to) => {
  const socket = net.connect({ ...to, autoSelectFamily: false });
  socket.on('connect', () => through(JSON.stringify(to))).on('error', (error) => refused(error.code));
  setTimeout(() => through('it waits for an answer'), 5000);
};
`;

const PYTHON = `import ctypes, errno, json, mmap, os, platform, signal, stat, struct, sys, time
NUMBERS = json.loads(os.environ["NUMBERS"])
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def say(word, why):
    print(word, why, flush=True)
    os._exit(0)
def through(why=""): say("THROUGH", why)
def refused(why=""): say("REFUSED", why)
def check(result):
    if result == -1: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def attempt(act):
    try: act()
    except OSError as error: refused(error)
    through()
def expect_refused(name, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(NUMBERS[name]), *[ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args])
    if result == 0 and name == "clone": os._exit(0)
    if result == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS): refused(os.strerror(ctypes.get_errno()))
    through("%d, errno %d" % (result, ctypes.get_errno()))
`;

/** The command that runs an attack; `node` is the path of Node. */
export function attackArgv({ language, source }: Attack, node: string): string[] {
  if (language === 'sh') return ['/bin/sh', '-c', SHELL + source];
  return language === 'node' ? [node, '-e', NODE + source] : ['/usr/bin/python3', '-I', '-c', PYTHON + source];
}

import {
  ALLOW,
  ARCH_AT,
  and,
  argumentAt,
  encode,
  errno,
  give,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  ifGreater,
  ifNotEqual,
  KILL_PROCESS,
  load,
  NUMBER_AT,
} from './bpf.ts';
import { ABSENT, CLONE, IOCTL, NEWEST, type Numbers, REFUSED, SOCKET } from './syscalls.ts';

/** The filter that every process of a box has: refused calls as data, the program as a pure function of them. */

export const ARCHITECTURES = ['x86_64', 'aarch64'] as const;
type Architecture = (typeof ARCHITECTURES)[number];

/** AUDIT_ARCH_… of linux/audit.h. */
export const AUDIT_ARCH: Record<Architecture, number> = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 };
/** Calls of the x32 ABI have this bit. */
export const X32_BIT = 0x4000_0000;

export const EPERM = 1;
export const ENOSYS = 38;
export const EPROTONOSUPPORT = 93;
export const EAFNOSUPPORT = 97;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
export const NAMESPACE_FLAGS = 0x7e02_0000;
/** TIOCSTI types into a terminal; TIOCLINUX and TIOCCONS act on the console. */
export const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x541d];

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_TYPE_MASK = 0xf;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const IPPROTO_TCP = 6;
const IPPROTO_UDP = 17;

/** The bytes for `bwrap --seccomp`, or null on an architecture without a table. `arch` is Node's name (`process.arch`). */
export function seccompFilter(arch: string = process.arch): Buffer | null {
  const architecture = architectureOf(arch);
  return architecture === null ? null : encode(filterProgram(architecture));
}

export function architectureOf(arch: string): Architecture | null {
  if (arch === 'x64') return 'x86_64';
  return arch === 'arm64' ? 'aarch64' : null;
}

export function filterProgram(architecture: Architecture): Instruction[] {
  const column = ARCHITECTURES.indexOf(architecture);
  const numberOf = (numbers: Numbers): number | null => numbers[column] ?? null;
  const refuse = (calls: Record<string, Numbers>, error: number): Instruction[] =>
    Object.values(calls)
      .map(numberOf)
      .filter((number) => number !== null)
      .flatMap((number) => ifEqual(number, [give(errno(error))]));
  const judge = (numbers: Numbers, program: Instruction[]): Instruction[] => {
    const number = numberOf(numbers);
    return number === null ? [] : ifEqual(number, program);
  };
  return [
    load(ARCH_AT),
    // Another architecture's calls have other numbers.
    ...ifNotEqual(AUDIT_ARCH[architecture], [give(KILL_PROCESS)]),
    load(NUMBER_AT),
    ...(architecture === 'x86_64' ? ifAtLeast(X32_BIT, [give(KILL_PROCESS)]) : []),
    ...ifGreater(NEWEST, [give(errno(ENOSYS))]),
    ...refuse(REFUSED, EPERM),
    ...refuse(ABSENT, ENOSYS),
    ...judge(CLONE, [load(argumentAt(0)), ...ifAnyBit(NAMESPACE_FLAGS, [give(errno(EPERM))]), give(ALLOW)]),
    ...judge(IOCTL, [
      load(argumentAt(1)),
      ...TERMINAL_REQUESTS.flatMap((request) => ifEqual(request, [give(errno(EPERM))])),
      give(ALLOW),
    ]),
    ...judge(SOCKET, socketProgram()),
    give(ALLOW),
  ];
}

/** Unix sockets, TCP and UDP, and the netlink of routes, by which programs list the network interfaces. */
function socketProgram(): Instruction[] {
  const protocols = [0, IPPROTO_TCP, IPPROTO_UDP].flatMap((protocol) => ifEqual(protocol, [give(ALLOW)]));
  const unsupported = give(errno(EPROTONOSUPPORT));
  const internet = [
    load(argumentAt(1)),
    and(SOCK_TYPE_MASK),
    ...[SOCK_STREAM, SOCK_DGRAM].flatMap((type) => ifEqual(type, [load(argumentAt(2)), ...protocols, unsupported])),
    unsupported,
  ];
  return [
    load(argumentAt(0)),
    ...ifEqual(AF_UNIX, [give(ALLOW)]),
    ...ifEqual(AF_INET, internet),
    ...ifEqual(AF_INET6, internet),
    ...ifEqual(AF_NETLINK, [load(argumentAt(2)), ...ifEqual(0, [give(ALLOW)])]),
    give(errno(EAFNOSUPPORT)),
  ];
}

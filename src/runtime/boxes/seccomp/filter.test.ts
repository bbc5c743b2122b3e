import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ALLOW, encode, errno, type Instruction, KILL_PROCESS, OPCODES } from './bpf.ts';
import {
  ARCHITECTURES,
  AUDIT_ARCH,
  EAFNOSUPPORT,
  ENOSYS,
  EPERM,
  EPROTONOSUPPORT,
  filterProgram,
  NAMESPACE_FLAGS,
  seccompFilter,
  TERMINAL_REQUESTS,
  X32_BIT,
} from './filter.ts';
import { ABSENT, CLONE, IOCTL, NEWEST, type Numbers, REFUSED, SOCKET } from './syscalls.ts';

/** Interprets a filter as the kernel does, for the instructions that our filters use. */
function answer(program: readonly Instruction[], arch: number, number: number, args: readonly bigint[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch >>> 0, 4);
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length; ) {
    const { code, jt, jf, k } = program[at] as Instruction;
    at++;
    if (code === OPCODES.RETURN) return k;
    else if (code === OPCODES.LOAD_WORD) accumulator = data.readUInt32LE(k);
    else if (code === OPCODES.AND) accumulator = (accumulator & k) >>> 0;
    else at += holds(code, accumulator, k) ? jt : jf;
  }
  throw new Error('the program has no end');
}

function holds(code: number, accumulator: number, k: number): boolean {
  if (code === OPCODES.JUMP_EQUAL) return accumulator === k;
  if (code === OPCODES.JUMP_GREATER) return accumulator > k;
  if (code === OPCODES.JUMP_GREATER_OR_EQUAL) return accumulator >= k;
  if (code === OPCODES.JUMP_ANY_BIT) return (accumulator & k) !== 0;
  throw new Error(`unknown instruction ${code}`);
}

for (const [column, architecture] of ARCHITECTURES.entries()) {
  const program = filterProgram(architecture);
  const arch = AUDIT_ARCH[architecture];
  const numbersOf = (calls: Record<string, Numbers>) =>
    new Set(Object.values(calls).flatMap((numbers) => numbers[column] ?? []));
  const refused = numbersOf(REFUSED);
  const absent = numbersOf(ABSENT);
  const special = numbersOf({ CLONE, IOCTL, SOCKET });

  test(`${architecture}: allows, refuses or hides each system call number as listed`, () => {
    for (let number = 0; number <= NEWEST + 2_000; number++) {
      if (special.has(number)) continue;
      const expected = refused.has(number)
        ? errno(EPERM)
        : absent.has(number) || number > NEWEST
          ? errno(ENOSYS)
          : ALLOW;
      assert.equal(answer(program, arch, number, [0n, 0n, 0n]), expected, `${number}`);
    }
    assert.ok(refused.size + absent.size >= 63, `${refused.size + absent.size}`);
  });

  test(`${architecture}: allows no refused, hidden or unknown number, whatever its arguments`, () => {
    const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    // biome-ignore lint/nursery/noFloatingPromises: the property is synchronous, so this is no promise.
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), fc.array(word, { maxLength: 6 }), (number, args) => {
        const given = answer(program, arch, number, args);
        if (given !== ALLOW) return;
        assert.ok(number <= NEWEST && !refused.has(number) && !absent.has(number));
      }),
      { numRuns: 20_000 },
    );
  });

  test(`${architecture}: kills the process for system calls of another architecture`, () => {
    // biome-ignore lint/nursery/noFloatingPromises: the property is synchronous, so this is no promise.
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), fc.nat({ max: 500 }), (other, number) => {
        if (other !== arch) assert.equal(answer(program, other, number), KILL_PROCESS);
      }),
    );
    for (const other of Object.values(AUDIT_ARCH))
      if (other !== arch) assert.equal(answer(program, other, 0), KILL_PROCESS);
    if (architecture === 'x86_64') assert.equal(answer(program, arch, X32_BIT | 39), KILL_PROCESS);
  });

  test(`${architecture}: clone can create processes and threads, but no namespaces`, () => {
    const clone = CLONE[column] as number;
    const flags = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
    // biome-ignore lint/nursery/noFloatingPromises: the property is synchronous, so this is no promise.
    fc.assert(
      fc.property(flags, (value) => {
        const expected = (value & BigInt(NAMESPACE_FLAGS)) === 0n ? ALLOW : errno(EPERM);
        assert.equal(answer(program, arch, clone, [value]), expected);
      }),
    );
    // The flags of a new thread, and of a plain fork.
    for (const usual of [0x3d0f00n, 0x1200011n]) assert.equal(answer(program, arch, clone, [usual]), ALLOW);
    for (let bit = 0; bit < 32; bit++) {
      const isNamespace = [17, 25, 26, 27, 28, 29, 30].includes(bit);
      assert.equal(answer(program, arch, clone, [1n << BigInt(bit)]), isNamespace ? errno(EPERM) : ALLOW, `${bit}`);
    }
  });

  test(`${architecture}: refuses ioctl requests that write to a terminal, whatever the upper 32 bits`, () => {
    const ioctl = IOCTL[column] as number;
    for (const request of TERMINAL_REQUESTS)
      for (const upper of [0n, 1n << 32n, 0xffff_ffffn << 32n])
        assert.equal(answer(program, arch, ioctl, [0n, upper | BigInt(request)]), errno(EPERM));
    for (const request of [0x5401n, 0x5413n, 0x541bn]) assert.equal(answer(program, arch, ioctl, [0n, request]), ALLOW);
  });

  test(`${architecture}: allows only Unix, TCP, UDP and route netlink sockets`, () => {
    const socket = SOCKET[column] as number;
    const ask = (family: number, type: number, protocol: number) =>
      answer(program, arch, socket, [BigInt(family), BigInt(type), BigInt(protocol)]);
    const NONBLOCK_CLOEXEC = 0o2004000;
    for (let family = 0; family < 64; family++) {
      const expected = [1, 2, 10, 16].includes(family) ? ALLOW : errno(EAFNOSUPPORT);
      assert.equal(ask(family, 1 | NONBLOCK_CLOEXEC, 0), expected, `${family}`);
    }
    for (const family of [2, 10])
      for (let type = 0; type < 16; type++)
        for (const protocol of [0, 1, 2, 6, 17, 33, 58, 132, 136, 255, 262]) {
          const isUsual = (type === 1 || type === 2) && [0, 6, 17].includes(protocol);
          assert.equal(ask(family, type, protocol), isUsual ? ALLOW : errno(EPROTONOSUPPORT), `${type} ${protocol}`);
        }
    for (let protocol = 1; protocol < 32; protocol++) assert.equal(ask(16, 3, protocol), errno(EAFNOSUPPORT));
  });

  test(`${architecture}: the program is below the kernel’s size limit, and all jumps stay inside`, () => {
    assert.ok(program.length < 1_000);
    assert.equal(program.at(-1)?.code, OPCODES.RETURN);
    for (const [index, { jt, jf }] of program.slice(0, -1).entries())
      assert.ok(index + 1 + Math.max(jt, jf) < program.length && jt < 256 && jf < 256);
  });
}

test('encodes instructions in the kernel’s binary format', () => {
  const bytes = encode([{ code: 0x15, jt: 1, jf: 2, k: 0xc000_003e }]);
  assert.deepEqual([...bytes], [0x15, 0, 1, 2, 0x3e, 0, 0, 0xc0]);
  assert.equal(seccompFilter('x64')?.length, filterProgram('x86_64').length * 8);
  assert.equal(seccompFilter('riscv64'), null);
});

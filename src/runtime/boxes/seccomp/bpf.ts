/** Classic BPF for seccomp: the few instructions that a filter needs, and their bytes (linux/bpf_common.h). */

export interface Instruction {
  code: number;
  /** Instructions to skip if a comparison is true. */
  jt: number;
  /** Instructions to skip if it is false. */
  jf: number;
  k: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_GREATER_OR_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;
export const OPCODES = {
  LOAD_WORD,
  JUMP_EQUAL,
  JUMP_GREATER,
  JUMP_GREATER_OR_EQUAL,
  JUMP_ANY_BIT,
  AND,
  RETURN,
} as const;

/** Offsets into `struct seccomp_data`; of an argument, its low 32 bits on a little-endian machine. */
export const NUMBER_AT = 0;
export const ARCH_AT = 4;
export const argumentAt = (index: number): number => 16 + 8 * index;

/** Return values of a filter (linux/seccomp.h). */
export const ALLOW = 0x7fff_0000;
export const KILL_PROCESS = 0x8000_0000;
export const errno = (number: number): number => 0x0005_0000 | number;

export const load = (at: number): Instruction => instruction(LOAD_WORD, at);
export const and = (mask: number): Instruction => instruction(AND, mask);
export const give = (action: number): Instruction => instruction(RETURN, action);
export const ifEqual = (value: number, then: Instruction[]): Instruction[] => skipping(JUMP_EQUAL, value, then);
export function ifNotEqual(value: number, then: Instruction[]): Instruction[] {
  const [jump, ...rest] = ifEqual(value, then) as [Instruction, ...Instruction[]];
  return [{ code: jump.code, jt: jump.jf, jf: 0, k: jump.k }, ...rest];
}
export const ifGreater = (value: number, then: Instruction[]): Instruction[] => skipping(JUMP_GREATER, value, then);
export const ifAtLeast = (value: number, then: Instruction[]): Instruction[] =>
  skipping(JUMP_GREATER_OR_EQUAL, value, then);
export const ifAnyBit = (mask: number, then: Instruction[]): Instruction[] => skipping(JUMP_ANY_BIT, mask, then);

/** `struct sock_filter[]`, as `bwrap --seccomp` reads it. */
export function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}

function instruction(code: number, k: number): Instruction {
  return { code, jt: 0, jf: 0, k: k >>> 0 };
}

function skipping(code: number, k: number, then: Instruction[]): Instruction[] {
  // A jump's distance has one byte.
  if (then.length > 255) throw new RangeError(`${then.length} instructions cannot be skipped by one jump`);
  return [{ code, jt: 0, jf: then.length, k: k >>> 0 }, ...then];
}

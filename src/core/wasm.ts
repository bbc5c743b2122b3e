/** The part of WebAssembly that is used. TypeScript has its types only for browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

const PAGE_BYTES = 65_536;

export interface WasmFunction {
  /** Its bytes are others after `growTo`. */
  readonly memory: { readonly buffer: ArrayBuffer };
  run(...numbers: number[]): void;
  growTo(bytes: number): void;
}

/** A function of so many 32-bit numbers that returns nothing, compiled from its locals and instructions in hexadecimal, with a memory. */
export function compileWasm(parameters: number, code: string): WasmFunction {
  const bytes = Buffer.from(code, 'hex');
  const types = [1, parameters + 4, 1, 0x60, parameters, ...Array<number>(parameters).fill(0x7f), 0];
  const functions = [3, 2, 1, 0];
  const ofMemory = [5, 3, 1, 0, 1];
  const names = [...exportOf('memory', 2), ...exportOf('run', 0)];
  const body = [1, ...lengthOf(bytes.length), ...bytes];
  const module = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[...types, ...functions, ...ofMemory],
    ...[7, names.length + 1, 2, ...names],
    ...[10, ...lengthOf(body.length), ...body],
  ]);
  const { memory, run } = new WebAssembly.Instance(new WebAssembly.Module(module)).exports as Exported;
  return {
    memory,
    run,
    growTo(wanted) {
      const missing = wanted - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    },
  };
}

interface Exported {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  run(...numbers: number[]): void;
}

const lengthOf = (bytes: number): number[] => [(bytes & 0x7f) | 0x80, bytes >> 7];

const exportOf = (name: string, kind: number): number[] => [name.length, ...Buffer.from(name), kind, 0];

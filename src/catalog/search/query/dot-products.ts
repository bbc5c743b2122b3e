import { compileWasm, type WasmFunction } from '#core/wasm.ts';
import { BLOCK, type VectorBlock } from '../index/vectors.ts';

/** Dot products of a query with all vectors, by slot. Sixteen numbers at a time where their number allows it, else one by one. */
export function dotProducts(blocks: readonly VectorBlock[], dimensions: number, query: Int8Array): Int32Array {
  const dots = new Int32Array(blocks.length * BLOCK);
  if (dimensions % LANES === 0) addByLanes(dots, blocks, query);
  else addOneByOne(dots, blocks, query);
  return dots;
}

const LANES = 16;

/**
 * The WebAssembly of the scan, because JavaScript has no vector instructions. Products of signed bytes are added in pairs as 16 bits, in
 * which two of at most 127 × 127 fit, then as 32 bits.
 *
 * ```wat
 * (func (export "run") (param $v i32) (param $n i32) (param $d i32) (param $q i32) (param $o i32)
 *   (local $i i32) (local $sum v128) (local $a v128) (local $b v128)
 *   (loop $vectors
 *     (local.set $sum (v128.const i32x4 0 0 0 0))
 *     (local.set $i (i32.const 0))
 *     (loop $lanes
 *       (local.set $a (v128.load (i32.add (local.get $v) (local.get $i))))
 *       (local.set $b (v128.load (i32.add (local.get $q) (local.get $i))))
 *       (local.set $sum (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
 *         (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b))
 *         (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
 *       (br_if $lanes (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $d))))
 *     (i32.store (local.get $o) (i32.add (i32.add (i32.add
 *       (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
 *       (i32x4.extract_lane 2 (local.get $sum))) (i32x4.extract_lane 3 (local.get $sum))))
 *     (local.set $v (i32.add (local.get $v) (local.get $d)))
 *     (local.set $o (i32.add (local.get $o) (i32.const 4)))
 *     (br_if $vectors (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
 * ```
 */
const CODE = [
  '02017f037b', // locals
  '0340', // loop $vectors
  'fd0c000000000000000000000000000000002106', // $sum = 0
  '41002105', // $i = 0
  '0340', // loop $lanes
  '200020056afd0000002107', // $a
  '200320056afd0000002108', // $b
  '200620072008fd9c0120072008fd9d01fd8e01fd7efdae012106', // $sum
  '200541106a22052002490d00', // next $lanes
  '0b',
  '20042006fd1b002006fd1b016a2006fd1b026a2006fd1b036a360200', // store
  '200020026a2100', // $v
  '200441046a2104', // $o
  '200141016b22010d00', // next $vectors
  '0b0b',
].join('');

/** Compiled with the first use, in the thread that scans. */
let compiled: WasmFunction | null = null;

function addByLanes(dots: Int32Array, blocks: readonly VectorBlock[], query: Int8Array): void {
  compiled ??= compileWasm(5, CODE);
  const { memory, run, growTo } = compiled;
  const [queryAt, outAt] = [0, query.length];
  const vectorsAt = outAt + BLOCK * 4;
  growTo(vectorsAt + BLOCK * query.length);
  const bytes = new Int8Array(memory.buffer);
  const out = new Int32Array(memory.buffer, outAt, BLOCK);
  bytes.set(query, queryAt);
  blocks.forEach(({ vectors }, at) => {
    bytes.set(vectors, vectorsAt);
    run(vectorsAt, BLOCK, query.length, queryAt, outAt);
    dots.set(out, at * BLOCK);
  });
}

function addOneByOne(dots: Int32Array, blocks: readonly VectorBlock[], query: Int8Array): void {
  const wide = Int32Array.from(query);
  blocks.forEach(({ vectors }, block) => {
    for (let at = 0; at < BLOCK; at++) {
      const from = at * wide.length;
      let sum = 0;
      for (let i = 0; i < wide.length; i++) sum = (sum + Math.imul(vectors[from + i] as number, wide[i] as number)) | 0;
      dots[block * BLOCK + at] = sum;
    }
  });
}

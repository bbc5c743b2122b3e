import { readFileSync } from 'node:fs';
import { stemOf } from './stem.ts';

/**
 * What words have to do with each other: words of the same listings have similar vectors. `npm run bench -- learn` made the file from the
 * texts of a catalog. Words that it lacks have none.
 */

export const DIMENSIONS = 64;

/** A line each: the stem, a space, and in base64 the weight and the vector. */
interface Table {
  numbers: ReadonlyMap<string, number>;
  /** How telling a word is. */
  weights: Uint8Array;
  /** Of length 127, about. */
  vectors: Int8Array;
}

let table: Table | undefined;

function readTable(): Table {
  const lines = readFileSync(new URL('./term-vectors.txt', import.meta.url), 'latin1')
    .trimEnd()
    .split('\n');
  const read = {
    numbers: new Map<string, number>(),
    weights: new Uint8Array(lines.length),
    vectors: new Int8Array(lines.length * DIMENSIONS),
  };
  lines.forEach((line, number) => {
    const space = line.indexOf(' ');
    const bytes = Buffer.from(line.slice(space + 1), 'base64');
    read.numbers.set(line.slice(0, space), number);
    read.weights[number] = bytes[0] as number;
    read.vectors.set(new Int8Array(bytes.buffer, bytes.byteOffset + 1, DIMENSIONS), number * DIMENSIONS);
  });
  return read;
}

/** -1 if the word has no vector. */
export function vectorNumber(term: string): number {
  table ??= readTable();
  return table.numbers.get(stemOf(term)) ?? -1;
}

/** Adds the vector of a number, times its weight and `factor`. */
export function addVector(sum: Float64Array, number: number, factor: number): void {
  const { weights, vectors } = table as Table;
  const each = factor * (weights[number] as number);
  const from = number * DIMENSIONS;
  for (let d = 0; d < DIMENSIONS; d++) sum[d] = (sum[d] as number) + each * (vectors[from + d] as number);
}

/** Of some words, each once; only zeros if none has a vector. */
export function directionOfWords(words: readonly string[]): Int8Array {
  const sum = new Float64Array(DIMENSIONS);
  for (const number of new Set(words.map(vectorNumber))) if (number >= 0) addVector(sum, number, 1);
  return directionOfSum(sum);
}

/** The direction of a sum, of length 127; of a sum of 0, only zeros. */
export function directionOfSum(sum: Float64Array): Int8Array {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const factor = squares === 0 ? 0 : 127 / Math.sqrt(squares);
  const direction = new Int8Array(sum.length);
  for (let d = 0; d < sum.length; d++) direction[d] = Math.round((sum[d] as number) * factor);
  return direction;
}

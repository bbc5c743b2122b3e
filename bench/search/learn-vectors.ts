import type { Item } from '#catalog/items/item.ts';
import { stemOf } from '#catalog/search/text/stem.ts';
import { SENTENCE_STOP_WORDS } from '#catalog/search/text/stop-words.ts';
import { DIMENSIONS } from '#catalog/search/text/term-vectors.ts';
import { isDense, ownName, tokenize } from '#catalog/search/text/tokenize.ts';

/**
 * Vectors of words by latent semantic analysis: the main axes of the matrix of listings and their words, by subspace iteration from a fixed
 * start. Each copy of a text counts once.
 */

/** A word needs this many listings, and is left out if this share of all has it. */
const LEAST_LISTINGS = 5;
const MOST_SHARE = 0.2;
/** More columns than are wanted make the wanted ones exact sooner. */
const COLUMNS = DIMENSIONS + 12;
const ROUNDS = 6;
/** The exponent of an axis's strength: 0 makes all equal, 1 is the plain analysis. */
const STRENGTH = 0;

/** The exponent of a word's rarity in its weight. */
const TELLING = 1.5;

interface Sparse {
  /** The words of listing after listing, by number, and a weight beside each. */
  words: Int32Array;
  values: Float64Array;
  endOf: Int32Array;
}

/** The lines of term-vectors.txt. */
export function learnVectors(items: readonly Item[]): string[] {
  const documents = distinctTexts(items);
  const counts = new Map<string, number>();
  for (const words of documents) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const stems = [...counts]
    .filter(([, count]) => count >= LEAST_LISTINGS && count <= MOST_SHARE * documents.length)
    .map(([stem]) => stem)
    .sort();
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const rarity = stems.map((stem) => Math.log(documents.length / (counts.get(stem) as number)));
  const matrix = matrixOf(documents, numbers, rarity);
  const axes = mainAxes(matrix, stems.length);
  const rarest = Math.max(...rarity);
  return stems.map((stem, number) => {
    const weight = Math.round(255 * ((rarity[number] as number) / rarest) ** TELLING);
    return `${stem} ${base64Of(weight, axes.subarray(number * DIMENSIONS, (number + 1) * DIMENSIONS))}`;
  });
}

function distinctTexts(items: readonly Item[]): Set<string>[] {
  const texts = new Set(items.map(({ name, description, tags }) => JSON.stringify([ownName(name), description, tags])));
  return [...texts].map((text) => new Set(tokenize(text).filter(isTelling).map(stemOf)));
}

const isTelling = (term: string): boolean =>
  !SENTENCE_STOP_WORDS.has(term) && !/^\d+$/.test(term) && !(isDense(term) && [...term].length < 2);

function matrixOf(
  documents: readonly Set<string>[],
  numbers: ReadonlyMap<string, number>,
  rarity: readonly number[],
): Sparse {
  const [words, values, endOf]: [number[], number[], number[]] = [[], [], []];
  for (const document of documents) {
    const known = [...document].flatMap((word) => numbers.get(word) ?? []);
    const length = Math.hypot(...known.map((word) => rarity[word] as number));
    for (const word of known) {
      words.push(word);
      values.push((rarity[word] as number) / length);
    }
    endOf.push(words.length);
  }
  return { words: Int32Array.from(words), values: Float64Array.from(values), endOf: Int32Array.from(endOf) };
}

/** For each word its places on the strongest axes, DIMENSIONS a word. */
function mainAxes(matrix: Sparse, words: number): Float64Array {
  let basis = orthonormal(startOf(words * COLUMNS));
  for (let round = 0; round < ROUNDS; round++) basis = orthonormal(timesSquare(matrix, basis));
  const image = timesSquare(matrix, basis);
  const { values, vectors } = eigenOf(gramOf(basis, image));
  const order = values.map((_, i) => i).sort((a, b) => (values[b] as number) - (values[a] as number));
  const axes = new Float64Array(words * DIMENSIONS);
  for (let word = 0; word < words; word++)
    for (let d = 0; d < DIMENSIONS; d++) {
      const axis = order[d] as number;
      let sum = 0;
      for (let c = 0; c < COLUMNS; c++)
        sum += (basis[word * COLUMNS + c] as number) * (vectors[c * COLUMNS + axis] as number);
      axes[word * DIMENSIONS + d] = sum * (values[axis] as number) ** (STRENGTH / 2);
    }
  return axes;
}

/** The same numbers every time, evenly between -1 and 1. */
function startOf(length: number): Float64Array {
  let state = 0x2545f491;
  return Float64Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  });
}

/** The matrix's transpose times the matrix times `basis`, which has a row per word. */
function timesSquare({ words, values, endOf }: Sparse, basis: Float64Array): Float64Array {
  const product = new Float64Array(basis.length);
  const sum = new Float64Array(COLUMNS);
  let from = 0;
  for (const end of endOf) {
    sum.fill(0);
    for (let i = from; i < end; i++) {
      const at = (words[i] as number) * COLUMNS;
      const value = values[i] as number;
      for (let c = 0; c < COLUMNS; c++) sum[c] = (sum[c] as number) + value * (basis[at + c] as number);
    }
    for (let i = from; i < end; i++) {
      const at = (words[i] as number) * COLUMNS;
      const value = values[i] as number;
      for (let c = 0; c < COLUMNS; c++) product[at + c] = (product[at + c] as number) + value * (sum[c] as number);
    }
    from = end;
  }
  return product;
}

/** Gram and Schmidt, twice, because once is not exact enough. In place. */
function orthonormal(basis: Float64Array): Float64Array {
  const rows = basis.length / COLUMNS;
  for (const _ of [1, 2])
    for (let c = 0; c < COLUMNS; c++) {
      for (let other = 0; other < c; other++) {
        let dot = 0;
        for (let r = 0; r < rows; r++)
          dot += (basis[r * COLUMNS + c] as number) * (basis[r * COLUMNS + other] as number);
        for (let r = 0; r < rows; r++)
          basis[r * COLUMNS + c] = (basis[r * COLUMNS + c] as number) - dot * (basis[r * COLUMNS + other] as number);
      }
      let squares = 0;
      for (let r = 0; r < rows; r++) squares += (basis[r * COLUMNS + c] as number) ** 2;
      const length = Math.sqrt(squares);
      for (let r = 0; r < rows; r++) basis[r * COLUMNS + c] = (basis[r * COLUMNS + c] as number) / length;
    }
  return basis;
}

/** Of two matrices with the same rows, the products of their columns. */
function gramOf(one: Float64Array, other: Float64Array): Float64Array {
  const gram = new Float64Array(COLUMNS * COLUMNS);
  for (let at = 0; at < one.length; at += COLUMNS)
    for (let i = 0; i < COLUMNS; i++)
      for (let j = 0; j < COLUMNS; j++)
        gram[i * COLUMNS + j] = (gram[i * COLUMNS + j] as number) + (one[at + i] as number) * (other[at + j] as number);
  return gram;
}

/** Jacobi's method for a symmetric matrix. The vectors are columns. */
function eigenOf(matrix: Float64Array): { values: number[]; vectors: Float64Array } {
  const vectors = new Float64Array(COLUMNS * COLUMNS);
  for (let i = 0; i < COLUMNS; i++) vectors[i * COLUMNS + i] = 1;
  for (let sweep = 0; sweep < 30; sweep++)
    for (let p = 0; p < COLUMNS; p++)
      for (let q = p + 1; q < COLUMNS; q++)
        if (Math.abs(matrix[p * COLUMNS + q] as number) > 1e-14) rotate(matrix, vectors, p, q);
  return { values: Array.from({ length: COLUMNS }, (_, i) => matrix[i * COLUMNS + i] as number), vectors };
}

/** Makes the entry of two axes 0. */
function rotate(matrix: Float64Array, vectors: Float64Array, p: number, q: number): void {
  const n = COLUMNS;
  const between = matrix[p * n + q] as number;
  const angle = 0.5 * Math.atan2(2 * between, (matrix[q * n + q] as number) - (matrix[p * n + p] as number));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let k = 0; k < n; k++) turn(matrix, k * n + p, k * n + q, cos, sin);
  for (let k = 0; k < n; k++) turn(matrix, p * n + k, q * n + k, cos, sin);
  for (let k = 0; k < n; k++) turn(vectors, k * n + p, k * n + q, cos, sin);
}

function turn(matrix: Float64Array, p: number, q: number, cos: number, sin: number): void {
  const [a, b] = [matrix[p] as number, matrix[q] as number];
  matrix[p] = cos * a - sin * b;
  matrix[q] = sin * a + cos * b;
}

function base64Of(weight: number, vector: Float64Array): string {
  const length = Math.hypot(...vector);
  const bytes = Int8Array.from(vector, (value) => Math.round((127 * value) / length));
  return Buffer.concat([Buffer.of(weight), Buffer.from(bytes.buffer)]).toString('base64');
}

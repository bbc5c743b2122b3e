import { tokenize } from '#catalog/search/text/tokenize.ts';

/**
 * A stand-in for an embedding model: latent semantic analysis of the catalog itself. It knows which words occur together there, and
 * nothing of the world, so a real model is expected to be better, above all for other languages.
 */
interface Latent {
  vectorOf(text: string): number[];
}

const ROUNDS = 4;
/** A rarer word has no company to learn from. */
const LEAST_DOCUMENTS = 3;

export function trainLatent(texts: readonly string[], dimensions: number): Latent {
  const documents = texts.map((text) => countTerms(text));
  const numbers = new Map<string, number>();
  const occurrences = new Map<string, number>();
  for (const terms of documents)
    for (const term of terms.keys()) occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
  for (const [term, count] of occurrences) if (count >= LEAST_DOCUMENTS) numbers.set(term, numbers.size);
  const idf = Float64Array.from(numbers.keys(), (term) => Math.log(texts.length / (occurrences.get(term) as number)));
  const rowOf = (terms: ReadonlyMap<string, number>): Row => rowFrom(terms, numbers, idf);
  const rows = documents.map(rowOf);
  let basis = randomBasis(numbers.size, dimensions);
  // Subspace iteration: the directions in which the documents differ most.
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(numbers.size * dimensions);
    for (const row of rows) addOuter(next, row, project(row, basis, dimensions));
    basis = orthonormal(next, numbers.size, dimensions);
  }
  return {
    vectorOf: (text) => {
      const vector = Array.from(project(rowOf(countTerms(text)), basis, dimensions));
      // A text of which no word is known points somewhere, as it does with any model.
      return vector.every((value) => value === 0) ? vector.map((_, at) => (at === 0 ? 1 : 0)) : vector;
    },
  };
}

interface Row {
  terms: Int32Array;
  weights: Float64Array;
}

function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of tokenize(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function rowFrom(counts: ReadonlyMap<string, number>, numbers: ReadonlyMap<string, number>, idf: Float64Array): Row {
  const known = [...counts].flatMap(([term, count]) => {
    const number = numbers.get(term);
    return number === undefined ? [] : [[number, (1 + Math.log(count)) * (idf[number] as number)] as const];
  });
  const length = Math.sqrt(known.reduce((sum, [, weight]) => sum + weight ** 2, 0)) || 1;
  return {
    terms: Int32Array.from(known, ([number]) => number),
    weights: Float64Array.from(known, ([, weight]) => weight / length),
  };
}

function project({ terms, weights }: Row, basis: Float64Array, dimensions: number): Float64Array {
  const vector = new Float64Array(dimensions);
  for (let i = 0; i < terms.length; i++) {
    const from = (terms[i] as number) * dimensions;
    const weight = weights[i] as number;
    for (let d = 0; d < dimensions; d++) vector[d] = (vector[d] as number) + weight * (basis[from + d] as number);
  }
  return vector;
}

function addOuter(into: Float64Array, { terms, weights }: Row, vector: Float64Array): void {
  for (let i = 0; i < terms.length; i++) {
    const from = (terms[i] as number) * vector.length;
    const weight = weights[i] as number;
    for (let d = 0; d < vector.length; d++)
      into[from + d] = (into[from + d] as number) + weight * (vector[d] as number);
  }
}

function randomBasis(terms: number, dimensions: number): Float64Array {
  let state = 1;
  return Float64Array.from({ length: terms * dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

/** Gram and Schmidt, column by column. */
function orthonormal(matrix: Float64Array, terms: number, dimensions: number): Float64Array {
  const columns = Array.from({ length: dimensions }, (_, d) =>
    Float64Array.from({ length: terms }, (_, term) => matrix[term * dimensions + d] as number),
  );
  const dot = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
    return sum;
  };
  columns.forEach((column, d) => {
    for (let before = 0; before < d; before++) {
      const other = columns[before] as Float64Array;
      const share = dot(column, other);
      for (let i = 0; i < terms; i++) column[i] = (column[i] as number) - share * (other[i] as number);
    }
    const length = Math.sqrt(dot(column, column)) || 1;
    for (let i = 0; i < terms; i++) column[i] = (column[i] as number) / length;
  });
  const result = new Float64Array(terms * dimensions);
  columns.forEach((column, d) => {
    for (let term = 0; term < terms; term++) result[term * dimensions + d] = column[term] as number;
  });
  return result;
}

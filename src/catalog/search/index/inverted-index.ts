import {
  byteList,
  type IntList,
  intList,
  pushInt,
  pushText,
  shareBytes,
  sharedInts,
  sharedShorts,
  sharedUints,
  sumUp,
} from './arrays.ts';

/** Collects the terms of document after document, then inverts them: the rows of each term. */
export interface TermCollector {
  ids: Map<string, number>;
  /** By term id, the last document that had it, so that a term counts once per document. */
  lastUse: IntList;
  /** Term ids of document after document, and beside each a weight. */
  uses: IntList;
  weights: IntList;
  /** Where the uses of each document end. */
  endOf: IntList;
}

export const termCollector = (): TermCollector => ({
  ids: new Map(),
  lastUse: intList(),
  uses: intList(),
  weights: intList(),
  endOf: intList(),
});

/** Adds the next document's terms. Duplicates count once. */
export function addTerms(collector: TermCollector, terms: readonly string[]): void {
  const document = collector.endOf.length;
  for (const term of terms) {
    const id = idOf(collector, term);
    if (collector.lastUse.data[id] === document) continue;
    collector.lastUse.data[id] = document;
    pushInt(collector.uses, id);
  }
  pushInt(collector.endOf, collector.uses.length);
}

/** Adds the next document's terms, each once, with a weight of at most 16 bits. A collector gets either kind of terms. */
export function addWeightedTerms<T extends { term: string }>(
  collector: TermCollector,
  terms: readonly T[],
  weightOf: (term: T) => number,
): void {
  for (const term of terms) {
    pushInt(collector.uses, idOf(collector, term.term));
    pushInt(collector.weights, weightOf(term));
  }
  pushInt(collector.endOf, collector.uses.length);
}

function idOf({ ids, lastUse }: TermCollector, term: string): number {
  let id = ids.get(term);
  if (id === undefined) {
    id = ids.size;
    ids.set(term, id);
    pushInt(lastUse, -1);
  }
  return id;
}

/** The terms in byte order of their UTF-8. */
export const termsByBytes = ({ ids }: TermCollector): string[] =>
  [...ids.keys()]
    .map((term) => ({ term, bytes: Buffer.from(term) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ term }) => term);

/** Rows are ascending within a term. `weights` is empty if the terms came without. */
interface InvertedIndex {
  bytes: Uint8Array;
  at: Uint32Array;
  rowsAt: Uint32Array;
  rows: Int32Array;
  weights: Uint16Array;
}

/** `terms` are all terms in the wanted order. `rowOrder[row]` is the document's number, in the order of the `add` calls. */
export function invert(collector: TermCollector, terms: readonly string[], rowOrder: Int32Array): InvertedIndex {
  const { ids, uses, endOf } = collector;
  const numberOf = new Int32Array(terms.length);
  const text = byteList(1024);
  const at = sharedUints(terms.length + 1);
  terms.forEach((term, i) => {
    numberOf[ids.get(term) as number] = i;
    pushText(text, term);
    at[i + 1] = text.length;
  });
  const rowsAt = sharedUints(terms.length + 1);
  for (let u = 0; u < uses.length; u++) {
    const next = (numberOf[uses.data[u] as number] as number) + 1;
    rowsAt[next] = (rowsAt[next] as number) + 1;
  }
  sumUp(rowsAt);
  const next = rowsAt.slice();
  const rows = sharedInts(uses.length);
  const weights = sharedShorts(collector.weights.length);
  for (let row = 0; row < rowOrder.length; row++) {
    const document = rowOrder[row] as number;
    const end = endOf.data[document] as number;
    for (let u = document === 0 ? 0 : (endOf.data[document - 1] as number); u < end; u++) {
      const term = numberOf[uses.data[u] as number] as number;
      const place = next[term] as number;
      rows[place] = row;
      if (weights.length > 0) weights[place] = collector.weights.data[u] as number;
      next[term] = place + 1;
    }
  }
  return { bytes: shareBytes(text), at, rowsAt, rows, weights };
}

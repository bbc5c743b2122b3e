import {
  byteList,
  type IntList,
  intList,
  pushInt,
  pushText,
  shareBytes,
  sharedInts,
  sharedUints,
} from './shared-arrays.ts';

/** Collects which listing holds which terms, then turns it round: which terms are held by which rows. */
export interface TermLists {
  ids: Map<string, number>;
  /** The listing that last used the term, so that a term counts once a listing. */
  lastUse: IntList;
  /** Term ids of listing after listing; `endOf[i]` is where listing i ends. */
  uses: IntList;
  endOf: IntList;
}

export const termLists = (): TermLists => ({ ids: new Map(), lastUse: intList(), uses: intList(), endOf: intList() });

/** Adds the next listing's terms. */
export function addTerms(lists: TermLists, terms: readonly string[]): void {
  const listing = lists.endOf.length;
  for (const term of terms) {
    let id = lists.ids.get(term);
    if (id === undefined) {
      id = lists.ids.size;
      lists.ids.set(term, id);
      pushInt(lists.lastUse, -1);
    }
    if (lists.lastUse.data[id] === listing) continue;
    lists.lastUse.data[id] = listing;
    pushInt(lists.uses, id);
  }
  pushInt(lists.endOf, lists.uses.length);
}

/** In byte order of their UTF-8. */
export const sortedTerms = (lists: TermLists): string[] =>
  [...lists.ids.keys()]
    .map((term) => ({ term, bytes: Buffer.from(term) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ term }) => term);

export interface TermRows {
  bytes: Uint8Array;
  at: Uint32Array;
  rowsAt: Uint32Array;
  rows: Int32Array;
}

/** `terms` in the order wanted; `rowOrder[row]` is the number in which the listing was added. Rows come out ascending. */
export function layOutTerms(lists: TermLists, terms: readonly string[], rowOrder: Int32Array): TermRows {
  const place = new Int32Array(terms.length);
  const text = byteList(1024);
  const at = sharedUints(terms.length + 1);
  terms.forEach((term, i) => {
    place[lists.ids.get(term) as number] = i;
    pushText(text, term);
    at[i + 1] = text.length;
  });
  const uses = lists.uses;
  const rowsAt = sharedUints(terms.length + 1);
  for (let u = 0; u < uses.length; u++) {
    const next = (place[uses.data[u] as number] as number) + 1;
    rowsAt[next] = (rowsAt[next] as number) + 1;
  }
  for (let i = 0; i < terms.length; i++) rowsAt[i + 1] = (rowsAt[i + 1] as number) + (rowsAt[i] as number);
  const next = rowsAt.slice();
  const rows = sharedInts(uses.length);
  for (let row = 0; row < rowOrder.length; row++) {
    const listing = rowOrder[row] as number;
    const end = lists.endOf.data[listing] as number;
    for (let u = listing === 0 ? 0 : (lists.endOf.data[listing - 1] as number); u < end; u++) {
      const term = place[uses.data[u] as number] as number;
      rows[next[term] as number] = row;
      next[term] = (next[term] as number) + 1;
    }
  }
  return { bytes: shareBytes(text), at, rowsAt, rows };
}

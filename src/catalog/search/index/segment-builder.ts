import { fold, nameParts, words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { bitWords, setBit } from './bitset.ts';
import { buildFrequent } from './frequent-ngrams.ts';
import { addTerms, layOutTerms, sortedTerms, type TermLists, termLists } from './inverted-index.ts';
import { buildKeyTable, keyOf } from './key-table.ts';
import { buildGrams } from './ngrams.ts';
import { CLOSED_SETS, MOST_NAME_PARTS, type Segment } from './segment.ts';
import {
  byteList,
  intList,
  pushInt,
  pushText,
  sharedBytes,
  sharedFloats,
  sharedInts,
  sharedUints,
} from './shared-arrays.ts';
import { orderByName, orderByValue, ranksOf, type SortKeys, timeKey } from './sort-orders.ts';

export interface SegmentBuilder {
  /**
   * Each listing once; an item whose provider and external id came before is a mistake of the caller. `hint` says in a
   * few words how it is had (install-hint.ts), `json` how it is shown, where that is not the item itself.
   */
  add(item: Indexed, hint?: string, json?: string): void;
  finish(): Segment;
  /** With the number, from 0, in which each row's listing was added. */
  finishInOrder(): { segment: Segment; rowOrder: Int32Array };
}

/** An item of any source; one that is no provider is in no provider's set. */
export type Indexed = Omit<Item, 'source' | 'provider_id'> & { provider_id: string };

const MOST_JSON_BYTES = 2 ** 32 - 1;

export function segmentBuilder(): SegmentBuilder {
  const json = byteList();
  const jsonAt = [0];
  const items: Pick<SortKeys, 'names' | 'provider_ids' | 'external_ids'> & { numbers: [number[], number[], number[]] } =
    { names: [], provider_ids: [], external_ids: [], numbers: [[], [], []] };
  const closed = { providers: intList(), types: intList(), classes: intList() };
  const [wordLists, tagLists, names] = [termLists(), termLists(), nameBuilder()];
  const hints = byteList(1024);
  const hintAt = [0];
  const finishInOrder = () => {
    const [downloads, stars, updated] = items.numbers.map((list) => Float64Array.from(list)) as Numbers;
    const keys = { ...items, downloads, stars, updated };
    const { rowOrder, ...orders } = ordersOf(keys);
    const count = rowOrder.length;
    const terms = { ...indexWords(wordLists, rowOrder), ...indexTags(tagLists, rowOrder) };
    const hintsInRows = reorderTexts(hints.data, hintAt, rowOrder);
    const segment: Segment = {
      count,
      ...asJson(reorderTexts(json.data, jsonAt, rowOrder)),
      hintBytes: hintsInRows.bytes,
      hintAt: hintsInRows.at,
      ...orders,
      providers: setsOf(closed.providers.data, CLOSED_SETS.providers.length, rowOrder),
      types: setsOf(closed.types.data, CLOSED_SETS.types.length, rowOrder),
      classes: setsOf(closed.classes.data, CLOSED_SETS.classes.length, rowOrder),
      ...terms,
      ...names.finish(rowOrder),
      ...buildFrequent(terms, terms, count),
      keyTable: buildKeyTable(
        Array.from(rowOrder, (i) => keyOf(keys.provider_ids[i] as string, keys.external_ids[i] as string)),
      ),
    };
    return { segment, rowOrder };
  };
  return {
    add(item, hint = '', shown = JSON.stringify(item)) {
      pushText(json, `${shown},`);
      if (json.length > MOST_JSON_BYTES) throw new RangeError('The catalogue holds more than 4 GiB of listings.');
      jsonAt.push(json.length);
      items.names.push(fold(item.name));
      items.provider_ids.push(item.provider_id);
      items.external_ids.push(item.external_id);
      items.numbers[0].push(item.downloads);
      items.numbers[1].push(item.stars);
      items.numbers[2].push(timeKey(item.external_updated_at));
      pushInt(closed.providers, (CLOSED_SETS.providers as readonly string[]).indexOf(item.provider_id));
      pushInt(closed.types, CLOSED_SETS.types.indexOf(item.listing_type));
      pushInt(closed.classes, CLOSED_SETS.classes.indexOf(item.execution_class));
      pushText(hints, hint);
      hintAt.push(hints.length);
      names.add(item.name);
      addTerms(wordLists, searchWords(item));
      addTerms(
        tagLists,
        item.tags.map((tag) => fold(tag.toWellFormed())),
      );
    },
    finishInOrder,
    finish: () => finishInOrder().segment,
  };
}

export function buildSegment(items: Iterable<Item>): Segment {
  const builder = segmentBuilder();
  for (const item of items) builder.add(item);
  return builder.finish();
}

/** Lone surrogates cannot be written as UTF-8, so they are looked up as U+FFFD. */
const searchWords = (item: Indexed): string[] =>
  [item.name, item.description, item.author].flatMap((text) => words(text.toWellFormed()));

type Numbers = [Float64Array, Float64Array, Float64Array];

/** `rowOrder[row]` is the number in which the listing came; the other orders count in rows. */
function ordersOf(keys: SortKeys) {
  const byName = orderByName(keys);
  const rankByName = ranksOf(byName);
  const rowOrder = orderByValue(keys.downloads, byName, rankByName);
  const rowOf = ranksOf(rowOrder);
  const inRows = (order: Int32Array): Int32Array => {
    const rows = sharedInts(order.length);
    for (let i = 0; i < order.length; i++) rows[i] = rowOf[order[i] as number] as number;
    return rows;
  };
  const starsOrder = inRows(orderByValue(keys.stars, byName, rankByName));
  const updatedOrder = inRows(orderByValue(keys.updated, byName, rankByName));
  const nameOrder = inRows(byName);
  return {
    rowOrder,
    downloads: floatsInRows(keys.downloads, rowOrder),
    stars: floatsInRows(keys.stars, rowOrder),
    updated: floatsInRows(keys.updated, rowOrder),
    starsOrder,
    starsRank: ranksOf(starsOrder),
    updatedOrder,
    updatedRank: ranksOf(updatedOrder),
    nameOrder,
    nameRank: ranksOf(nameOrder),
  };
}

function floatsInRows(values: Float64Array, rowOrder: Int32Array): Float64Array {
  const rows = sharedFloats(values.length);
  for (let row = 0; row < rowOrder.length; row++) rows[row] = values[rowOrder[row] as number] as number;
  return rows;
}

interface Texts {
  bytes: Uint8Array;
  at: Uint32Array;
}

const asJson = ({ bytes, at }: Texts) => ({ json: bytes, jsonAt: at });

function reorderTexts(data: Buffer, cameAt: number[], rowOrder: Int32Array): Texts {
  const bytes = sharedBytes(cameAt.at(-1) as number);
  const at = sharedUints(rowOrder.length + 1);
  let end = 0;
  for (let row = 0; row < rowOrder.length; row++) {
    const i = rowOrder[row] as number;
    const text = data.subarray(cameAt[i] as number, cameAt[i + 1] as number);
    bytes.set(text, end);
    end += text.length;
    at[row + 1] = end;
  }
  return { bytes, at };
}

function setsOf(values: Int32Array, kinds: number, rowOrder: Int32Array): Int32Array {
  const length = bitWords(rowOrder.length);
  const sets = sharedInts(kinds * length);
  for (let row = 0; row < rowOrder.length; row++) {
    const value = values[rowOrder[row] as number] as number;
    if (value >= 0) setBit(sets.subarray(value * length, (value + 1) * length), row);
  }
  return sets;
}

function indexWords(lists: TermLists, rowOrder: Int32Array) {
  const { bytes, at, rowsAt, rows } = layOutTerms(lists, [...lists.ids.keys()].sort(), rowOrder);
  const index = { wordBytes: bytes, wordAt: at, wordRowsAt: rowsAt, wordRows: rows };
  return { ...index, ...buildGrams(index) };
}

/** What names are made of, and of how many parts. */
function nameBuilder() {
  const lists = termLists();
  const sizes = intList();
  return {
    add(name: string): void {
      const parts = nameParts(name);
      pushInt(sizes, parts.length <= MOST_NAME_PARTS ? parts.length - 1 : -1);
      addTerms(lists, parts);
    },
    finish(rowOrder: Int32Array) {
      const { bytes, at, rowsAt, rows } = layOutTerms(lists, sortedTerms(lists), rowOrder);
      const named = { partBytes: bytes, partAt: at, partRowsAt: rowsAt, partRows: rows };
      return { ...named, nameSizes: setsOf(sizes.data, MOST_NAME_PARTS, rowOrder) };
    },
  };
}

function indexTags(lists: TermLists, rowOrder: Int32Array) {
  const { bytes, at, rowsAt, rows } = layOutTerms(lists, sortedTerms(lists), rowOrder);
  return { tagBytes: bytes, tagAt: at, tagRowsAt: rowsAt, tagRows: rows };
}

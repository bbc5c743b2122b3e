import { fold, words } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { byteList, intList, pushInt, pushText, sharedBytes, sharedInts, sharedUints } from './arrays.ts';
import { bitWords, setBit } from './bitset.ts';
import { addTerms, invert, type TermCollector, termCollector, termsByBytes } from './inverted-index.ts';
import { buildKeyTable, keyOf } from './key-table.ts';
import { buildFrequent, buildGrams } from './ngrams.ts';
import { packRows } from './packed-json.ts';
import { ENUM_VALUES, type Segment, setAt } from './segment.ts';
import { type SortKeys, sortOrders, timeKey } from './sort-orders.ts';

interface SegmentBuilder {
  /**
   * Adds a listing. The caller must not add the same provider and external id twice. `hint` says in a few words how to install it
   * (install-hint.ts). `json` is what answers show, if that is not the item itself.
   */
  add(item: IndexedItem, hint?: string, json?: string): void;
  finish(): Segment;
  /** Also returns, for each row, the number of its `add` call. */
  finishInOrder(): { segment: Segment; rowOrder: Int32Array };
}

/** An item of any source. A source that is not a provider is in no provider's bitset. */
export type IndexedItem = Omit<Item, 'source' | 'provider_id'> & { provider_id: string };

/** Packed, it has at most 4 GiB. */
const MOST_JSON_BYTES = 4e9;

/** `with_lookups`: whether listings are found by parts of words and by key. Capabilities are not: they are searched by terms. */
export function segmentBuilder({ with_lookups = true } = {}): SegmentBuilder {
  const [json, hints] = [textList(), textList(1024)];
  const [names, provider_ids, external_ids]: [string[], string[], string[]] = [[], [], []];
  const [downloads, stars, updated]: [number[], number[], number[]] = [[], [], []];
  const [providers, types, classes] = [intList(), intList(), intList()];
  const [wordTerms, tagTerms] = [termCollector(), termCollector()];
  const finishInOrder = () => {
    const keys: SortKeys = {
      names,
      provider_ids,
      external_ids,
      downloads: Float64Array.from(downloads),
      stars: Float64Array.from(stars),
      updated: Float64Array.from(updated),
    };
    const { rowOrder, ...orders } = sortOrders(keys);
    const count = rowOrder.length;
    const indexed = { ...indexWords(wordTerms, rowOrder), ...indexTags(tagTerms, rowOrder) };
    const stored = hints.finish(rowOrder);
    const segment: Segment = {
      count,
      ...packRows(json.list.data, json.addedAt, rowOrder),
      hintBytes: stored.bytes,
      hintAt: stored.at,
      ...orders,
      providers: setsOf(providers.data, ENUM_VALUES.providers.length, rowOrder),
      types: setsOf(types.data, ENUM_VALUES.types.length, rowOrder),
      classes: setsOf(classes.data, ENUM_VALUES.classes.length, rowOrder),
      ...indexed,
      ...buildFrequent(indexed, indexed, count),
      keyTable: buildKeyTable(
        with_lookups ? Array.from(rowOrder, (i) => keyOf(provider_ids[i] as string, external_ids[i] as string)) : [],
      ),
    };
    return { segment, rowOrder };
  };
  return {
    add(item, hint = '', shown = JSON.stringify(item)) {
      if (json.add(`${shown},`) > MOST_JSON_BYTES) throw new RangeError('The index holds more than 4 GB of listings.');
      names.push(fold(item.name));
      provider_ids.push(item.provider_id);
      external_ids.push(item.external_id);
      downloads.push(item.downloads);
      stars.push(item.stars);
      updated.push(timeKey(item.external_updated_at));
      pushInt(providers, (ENUM_VALUES.providers as readonly string[]).indexOf(item.provider_id));
      pushInt(types, ENUM_VALUES.types.indexOf(item.listing_type));
      pushInt(classes, ENUM_VALUES.classes.indexOf(item.execution_class));
      hints.add(hint);
      if (with_lookups) addTerms(wordTerms, searchedWords(item));
      addTerms(
        tagTerms,
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

/** Lone surrogates have no UTF-8, so they are indexed as U+FFFD. */
const searchedWords = (item: IndexedItem): string[] =>
  [item.name, item.description, item.author].flatMap((text) => words(text.toWellFormed()));

/** Texts in UTF-8, in the order of the `add` calls until they are put in the order of the rows. */
function textList(capacity?: number) {
  const list = byteList(capacity);
  const addedAt = [0];
  return {
    list,
    addedAt,
    /** Returns the bytes so far. */
    add(text: string): number {
      pushText(list, text);
      addedAt.push(list.length);
      return list.length;
    },
    finish(rowOrder: Int32Array) {
      const bytes = sharedBytes(list.length);
      const at = sharedUints(rowOrder.length + 1);
      let end = 0;
      for (let row = 0; row < rowOrder.length; row++) {
        const i = rowOrder[row] as number;
        const text = list.data.subarray(addedAt[i] as number, addedAt[i + 1] as number);
        bytes.set(text, end);
        end += text.length;
        at[row + 1] = end;
      }
      return { bytes, at };
    },
  };
}

/** A bitset per value from 0 to before `kinds`. A row whose value is -1 is in none. */
function setsOf(values: Int32Array, kinds: number, rowOrder: Int32Array): Int32Array {
  const count = rowOrder.length;
  const sets = sharedInts(kinds * bitWords(count));
  for (let row = 0; row < count; row++) {
    const value = values[rowOrder[row] as number] as number;
    if (value >= 0) setBit(setAt(sets, value, count), row);
  }
  return sets;
}

function indexWords(collector: TermCollector, rowOrder: Int32Array) {
  // Sorted, so that words that start alike are neighbours in memory. Nothing looks up a whole word, so the order of JavaScript strings
  // will do.
  const { bytes, at, rowsAt, rows } = invert(collector, [...collector.ids.keys()].sort(), rowOrder);
  const index = { wordBytes: bytes, wordAt: at, wordRowsAt: rowsAt, wordRows: rows };
  return { ...index, ...buildGrams(index) };
}

function indexTags(collector: TermCollector, rowOrder: Int32Array) {
  const { bytes, at, rowsAt, rows } = invert(collector, termsByBytes(collector), rowOrder);
  return { tagBytes: bytes, tagAt: at, tagRowsAt: rowsAt, tagRows: rows };
}

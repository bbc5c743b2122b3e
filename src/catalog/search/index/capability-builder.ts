import { fold } from '#catalog/changes/fold.ts';
import { builtInName, OWN_SOURCE, SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { categoryOf } from '../text/categories.ts';
import {
  byteList,
  pushText,
  shareBytes,
  sharedBytes,
  sharedFloats,
  sharedInts,
  sharedShorts,
  sharedUints,
  shareInts,
  sumUp,
} from './arrays.ts';
import { bitWords, hasBit, setBit } from './bitset.ts';
import { type CapabilitySegment, readCapability } from './capability-segment.ts';
import { type Copies, frontOf, groupBase, groupDelta, type KnownTexts, NO_TEXTS, textKeys } from './copies.ts';
import { hasCostlySignal, isMuchUsed, isReviewed } from './costly-signal.ts';
import { daysIn } from './days.ts';
import type { CapabilityDocument } from './document.ts';
import { bitsOfValues, type FacetBits, NO_CATEGORY } from './facet-bits.ts';
import { nameKey, nameLength, termsByField, weightTerms } from './field-weights.ts';
import { licenseGroup } from './license-group.ts';
import { type KnownLooks, knownLooks, type Look, lookOf, resemblanceOf } from './lookalikes.ts';
import { outlineBuilder } from './outline.ts';
import { copyKey, type PriorInputs, priorOf, type Quantiles, quantilesOf } from './prior.ts';
import { type Segment, setAt } from './segment.ts';
import { type IndexedItem, segmentBuilder } from './segment-builder.ts';
import { textBuilder } from './text-index.ts';
import { toolBuilder } from './tool-segment.ts';

/** Statistics over all documents of a base. Its deltas use them too, so that both score alike. */
export interface Statistics {
  quantiles: Quantiles;
  /** How often a `copyKey` occurs, if more than once. */
  copies: ReadonlyMap<string, number>;
  /** As in `Outlines`. */
  rarity: Uint8Array;
}

export interface CapabilityBuilder {
  /** Adds a document. The caller must not add the same id twice. */
  add(document: CapabilityDocument): void;
  /** `ids` are in row order. Statistics that are not given are computed. */
  finish(statistics?: Statistics): BuiltBase;
  /** A delta is built with what is known of its base. */
  finishDelta(base: Pick<BuiltBase, 'statistics' | 'texts' | 'looks'>): CapabilitySegment;
}

interface BuiltBase {
  segment: CapabilitySegment;
  statistics: Statistics;
  ids: string[];
  texts: KnownTexts;
  looks: KnownLooks;
}

export function capabilityBuilder(): CapabilityBuilder {
  const list = segmentBuilder({ with_lookups: false });
  const text = textBuilder();
  const tools = toolBuilder();
  const outlines = outlineBuilder();
  const added: Added[] = [];
  const finish = (given: Statistics | null, group: (keys: readonly number[][]) => Copies, known: KnownLooks | null) => {
    const { segment, rowOrder } = list.finishInOrder();
    const statistics = given ?? { ...statisticsOf(added), rarity: outlines.rarity() };
    const rows = Array.from(rowOrder, (number) => added[number] as Added);
    const { leaders, copied } = group(rows.map(({ text_keys }) => text_keys));
    const parts = layOut(rows, statistics);
    const looks = known ?? knownLooks(looksOf(segment, rows, statistics));
    const whole: CapabilitySegment = {
      count: segment.count,
      list: segment,
      text: text.finish(rowOrder),
      tools: tools.finish(rowOrder),
      outlines: outlines.finish(rowOrder, statistics.rarity),
      leaders,
      copied,
      ...parts,
      ...layOutMarks(segment, parts.proven, looks),
      ...tagsByRow(segment),
    };
    return { segment: whole, statistics, looks, ids: rows.map(({ id }) => id) };
  };
  return {
    add(document) {
      list.add(itemOf(document), '', JSON.stringify(document.wire));
      const terms = termsByField(document.searched);
      text.add(weightTerms(terms));
      const category = categoryOf(outlines.add(terms)) ?? NO_CATEGORY;
      tools.add(document.tools);
      added.push(addedOf(document, category));
    },
    finish(given) {
      let texts = NO_TEXTS;
      const group = (keys: readonly number[][]): Copies => {
        const found = groupBase(keys);
        texts = found.texts;
        return found;
      };
      const built = finish(given ?? null, group, null);
      return { ...built, texts };
    },
    finishDelta: ({ statistics, texts, looks }) => finish(statistics, (keys) => groupDelta(keys, texts), looks).segment,
  };
}

/** Of the most used capabilities, in their order. */
function looksOf(list: Segment, rows: readonly Added[], { quantiles }: Statistics): Look[] {
  const known: Look[] = [];
  for (const [row, { is_known, used }] of rows.entries())
    if (is_known || isMuchUsed(used, quantiles)) known.push(lookOf(readCapability(list, row)));
  return known;
}

/** Rows that look like a much used capability of another author. Those with a costly signal are what they say. */
function layOutMarks(list: Segment, proven: Int32Array, looks: KnownLooks) {
  const marked: number[] = [];
  const bytes = byteList(1024);
  const markAt = [0];
  for (let row = 0; row < list.count; row++) {
    const found = hasBit(proven, row) ? null : resemblanceOf(lookOf(readCapability(list, row)), looks);
    if (found === null) continue;
    marked.push(row);
    pushText(bytes, JSON.stringify(found));
    markAt.push(bytes.length);
  }
  return { marked: shareInts(marked), markAt: shareInts(markAt), markBytes: shareBytes(bytes) };
}

/** What the builder keeps of a document until all are added. */
interface Added extends PriorInputs {
  id: string;
  copy_key: string | null;
  /** Indexes in SOURCES. */
  sources: number[];
  facets: FacetBits;
  updated_day: number;
  name_key: number;
  name_length: number;
  has_signal: boolean;
  /** Whether its name is known whatever its downloads. */
  is_known: boolean;
  text_keys: number[];
  /** Of `frontOf`, which also needs what is known of all. */
  shown: Pick<CapabilityDocument['wire'], 'id' | 'flagged' | 'publisher' | 'created_at'>;
  is_built_in: boolean;
  is_flagged: boolean;
  id_hashes: number[];
}

function addedOf(document: CapabilityDocument, category: string): Added {
  const { wire, searched, used } = document;
  const { id, flagged, publisher, created_at } = wire;
  const provider = wire.sources.map((source) => source.provider);
  const { level, verified } = wire.verification;
  return {
    id,
    used,
    hot_score: wire.hot_score,
    copy_key: copyKey(wire),
    sources: [...new Set(provider.map((source) => SOURCES.indexOf(source)))],
    level: LEVELS.indexOf(level),
    facets: bitsOfValues({
      ...wire,
      provider,
      level,
      verified: `${verified}`,
      confirmed: `${publisher !== null}`,
      license: licenseGroup(wire.license),
      category,
    }),
    updated_day: dayOf(wire.sources),
    has_signal: hasCostlySignal(wire),
    is_known: isReviewed(wire) || level === 'used',
    text_keys: textKeys(document),
    shown: { id, flagged, publisher, created_at },
    name_key: hashOf(nameKey(wire.name)),
    name_length: nameLength(wire.name),
    is_built_in: builtInName(wire.id) !== null,
    is_flagged: flagged,
    // Its own id, and those of its listings alone and with their provider before them.
    id_hashes: [
      id,
      ...searched.places.flatMap(({ provider: source, external_id }) => [external_id, `${source}/${external_id}`]),
    ].map(idHash),
  };
}

export const idHash = (id: string): number => hashOf(fold(id));

/** Of the last update that a provider reports. */
const dayOf = (sources: CapabilityDocument['wire']['sources']): number =>
  Math.max(0, ...sources.map(({ updated_at }) => (updated_at === null ? 0 : daysIn(Date.parse(updated_at)) || 0)));

function statisticsOf(added: readonly Added[]): Omit<Statistics, 'rarity'> {
  const copies = new Map<string, number>();
  for (const { copy_key } of added) if (copy_key !== null) copies.set(copy_key, (copies.get(copy_key) ?? 0) + 1);
  return { quantiles: quantilesOf(added), copies: new Map([...copies].filter(([, count]) => count > 1)) };
}

/** As an item of the list. */
function itemOf({ wire }: CapabilityDocument): IndexedItem {
  return {
    name: wire.name,
    description: wire.description,
    version: '',
    homepage: '',
    author: wire.author,
    downloads: wire.downloads,
    stars: wire.stars,
    tags: wire.tags,
    provider_id: OWN_SOURCE,
    external_id: wire.id,
    external_updated_at: wire.updated_at,
    listing_type: wire.listing_type,
    execution_class: wire.execution_class,
  };
}

function layOut(rows: readonly Added[], { quantiles, copies: known }: Statistics) {
  const count = rows.length;
  const sources = sharedInts(SOURCES.length * bitWords(count));
  const [nameKeys, nameLengths] = [sharedInts(count), sharedBytes(count)];
  const [priors, copies, listings] = [sharedBytes(count), sharedBytes(count), sharedBytes(count)];
  const updatedDays = sharedShorts(count);
  const [proven, fronts] = [sharedInts(bitWords(count)), sharedFloats(count)];
  const ids: [hash: number, row: number][] = [];
  rows.forEach((document, row) => {
    for (const source of document.sources) setBit(setAt(sources, source, count), row);
    nameKeys[row] = document.name_key;
    nameLengths[row] = document.name_length;
    const prior = priorOf(document, quantiles);
    priors[row] = prior;
    const is_proven = document.has_signal || isMuchUsed(document.used, quantiles);
    if (is_proven) setBit(proven, row);
    fronts[row] = frontOf(document.shown, { is_proven, prior });
    copies[row] = Math.min(255, document.copy_key === null ? 1 : (known.get(document.copy_key) ?? 1));
    listings[row] = Math.min(255, document.used.length);
    updatedDays[row] = document.updated_day;
    for (const hash of document.id_hashes) ids.push([hash, row]);
  });
  return {
    sources,
    nameKeys,
    nameLengths,
    priors,
    copies,
    proven,
    fronts,
    listings,
    updatedDays,
    builtIn: shareInts(rowsWhere(rows, ({ is_built_in }) => is_built_in)),
    flagged: shareInts(rowsWhere(rows, ({ is_flagged }) => is_flagged)),
    ...layOutCombinations(rows),
    ...layOutIds(ids),
  };
}

const rowsWhere = (rows: readonly Added[], matches: (document: Added) => boolean): number[] =>
  rows.flatMap((document, row) => (matches(document) ? [row] : []));

function layOutCombinations(rows: readonly Added[]) {
  const numbers = new Map<string, number>();
  const bits: number[] = [];
  const combinations = sharedUints(rows.length);
  rows.forEach(({ facets }, row) => {
    const key = facets.join(' ');
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size);
      bits.push(...facets);
    }
    combinations[row] = numbers.get(key) as number;
  });
  return { combinations, combinationBits: shareInts(bits) };
}

function layOutIds(ids: [hash: number, row: number][]) {
  ids.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return { idHashes: shareInts(ids.map(([hash]) => hash)), idRows: shareInts(ids.map(([, row]) => row)) };
}

/** Inverts the list's rows by tag. */
function tagsByRow({ count, tagRows, tagRowsAt }: Segment) {
  const rowTagsAt = sharedUints(count + 1);
  for (let i = 0; i < tagRows.length; i++) {
    const next = (tagRows[i] as number) + 1;
    rowTagsAt[next] = (rowTagsAt[next] as number) + 1;
  }
  sumUp(rowTagsAt);
  const next = rowTagsAt.slice();
  const rowTags = sharedInts(tagRows.length);
  for (let tag = 0; tag + 1 < tagRowsAt.length; tag++)
    for (let i = tagRowsAt[tag] as number; i < (tagRowsAt[tag + 1] as number); i++) {
      const row = tagRows[i] as number;
      rowTags[next[row] as number] = tag;
      next[row] = (next[row] as number) + 1;
    }
  return { rowTagsAt, rowTags };
}

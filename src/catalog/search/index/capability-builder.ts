import { fold } from '#catalog/changes/fold.ts';
import { builtInName, OWN_SOURCE, SOURCES } from '#catalog/items/own-listings.ts';
import { LEVELS } from '#catalog/items/verification.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { bitWords, setBit } from './bitset.ts';
import type { CapabilitySegment } from './capability-segment.ts';
import type { CapabilityDocument } from './document.ts';
import { traitBits } from './facet-bits.ts';
import { nameKey, nameLength, weigh } from './field-weights.ts';
import { priorOf, type Quantiles, quantilesOf, textKey, type Used } from './prior.ts';
import type { Segment } from './segment.ts';
import { segmentBuilder } from './segment-builder.ts';
import { sharedBytes, sharedInts, sharedUints } from './shared-arrays.ts';
import { textBuilder } from './text-index.ts';

/** Builds a segment of capability documents. */

/** What documents share, counted when a base is built: how numbers are spread, and how often a text comes. */
export interface Common {
  quantiles: Quantiles;
  /** By `textKey`, where it comes more than once. */
  copies: ReadonlyMap<string, number>;
}

export interface CapabilityBuilder {
  /** Each id once. */
  add(document: CapabilityDocument): void;
  /** `common` of the base, for a delta; left out, it is counted. `ids` are in the order of the rows. */
  finish(common?: Common): { segment: CapabilitySegment; common: Common; ids: string[] };
}

export function capabilityBuilder(): CapabilityBuilder {
  const list = segmentBuilder();
  const text = textBuilder();
  const added: Kept[] = [];
  return {
    add(document) {
      const { wire } = document;
      list.add(itemFor(document), '', JSON.stringify(wire));
      text.add(weigh(document.searched));
      const provider = wire.sources.map((source) => source.provider);
      const { level, verified } = wire.verification;
      added.push({
        id: wire.id,
        used: document.used,
        hot_score: wire.hot_score,
        text_key: textKey(wire),
        sources: [...new Set(provider.map((source) => SOURCES.indexOf(source)))],
        level: LEVELS.indexOf(level),
        traits: traitBits({ ...wire, provider, level, verified: `${verified}` }),
        name_key: hashOf(nameKey(wire.name)),
        name_length: nameLength(wire.name),
        is_carried: builtInName(wire.id) !== null,
        is_flagged: wire.flagged,
        ids: idHashes(document),
      });
    },
    finish(given) {
      const { segment, rowOrder } = list.finishInOrder();
      const common = given ?? commonOf(added);
      const inRows = Array.from(rowOrder, (number) => added[number] as Kept);
      return {
        segment: {
          count: segment.count,
          list: segment,
          text: text.finish(rowOrder),
          ...layOut(inRows, segment, common),
        },
        ids: inRows.map(({ id }) => id),
        common,
      };
    },
  };
}

function commonOf(added: readonly Kept[]): Common {
  const copies = new Map<string, number>();
  for (const { text_key } of added) if (text_key !== null) copies.set(text_key, (copies.get(text_key) ?? 0) + 1);
  return { quantiles: quantilesOf(added), copies: new Map([...copies].filter(([, count]) => count > 1)) };
}

interface Kept extends Used {
  id: string;
  text_key: string | null;
  sources: number[];
  level: number;
  traits: number;
  name_key: number;
  name_length: number;
  is_carried: boolean;
  is_flagged: boolean;
  ids: number[];
}

/** What the catalogue's segment keeps of it: ids are found like authors. */
function itemFor({ wire, searched }: CapabilityDocument) {
  const ids = searched.places.map(({ external_id }) => external_id);
  return {
    name: wire.name,
    description: wire.description,
    version: '',
    homepage: '',
    author: [wire.author, ...ids].join(' '),
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

/** An id alone, and with its provider before it. */
const idHashes = ({ searched }: CapabilityDocument): number[] =>
  searched.places.flatMap(({ provider, external_id }) => [idHash(external_id), idHash(`${provider}/${external_id}`)]);

export const idHash = (id: string): number => hashOf(fold(id));

function layOut(rows: readonly Kept[], list: Segment, { quantiles, copies: known }: Common) {
  const count = rows.length;
  const words = bitWords(count);
  const sources = sharedInts(SOURCES.length * words);
  const [nameKeys, nameLengths] = [sharedInts(count), sharedBytes(count)];
  const [priors, copies, members] = [sharedBytes(count), sharedBytes(count), sharedBytes(count)];
  const ids: [hash: number, row: number][] = [];
  for (let row = 0; row < count; row++) {
    const otherRow = rows[row] as Kept;
    for (const source of otherRow.sources) setBit(sources.subarray(source * words, (source + 1) * words), row);
    nameKeys[row] = otherRow.name_key;
    nameLengths[row] = otherRow.name_length;
    priors[row] = priorOf(otherRow, quantiles);
    copies[row] = Math.min(255, otherRow.text_key === null ? 1 : (known.get(otherRow.text_key) ?? 1));
    members[row] = Math.min(255, otherRow.used.length);
    for (const hash of otherRow.ids) ids.push([hash, row]);
  }
  const carried = sharedRows(rows.flatMap(({ is_carried }, row) => (is_carried ? [row] : [])));
  const flagged = sharedRows(rows.flatMap(({ is_flagged }, row) => (is_flagged ? [row] : [])));
  const ofRows = { sources, ...layOutTraits(rows), nameKeys, nameLengths, priors, copies, members, carried, flagged };
  return { ...ofRows, ...layOutIds(ids), ...tagsByRow(list) };
}

function sharedRows(rows: readonly number[]): Int32Array {
  const shared = sharedInts(rows.length);
  shared.set(rows);
  return shared;
}

function layOutTraits(rows: readonly Kept[]) {
  const places = new Map<number, number>();
  const traits = new Uint16Array(new SharedArrayBuffer(rows.length * 2));
  rows.forEach((otherRow, row) => {
    if (!places.has(otherRow.traits)) places.set(otherRow.traits, places.size);
    traits[row] = places.get(otherRow.traits) as number;
  });
  const bits = sharedInts(places.size);
  bits.set([...places.keys()]);
  return { traits, traitBits: bits };
}

function layOutIds(ids: [hash: number, row: number][]) {
  ids.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [hashes, rows] = [sharedInts(ids.length), sharedInts(ids.length)];
  ids.forEach(([hash, row], i) => {
    hashes[i] = hash;
    rows[i] = row;
  });
  return { idHashes: hashes, idRows: rows };
}

/** Turns the list's rows by tag round. */
function tagsByRow({ count, tagRows, tagRowsAt }: Segment) {
  const rowTagsAt = sharedUints(count + 1);
  for (let i = 0; i < tagRows.length; i++) {
    const next = (tagRows[i] as number) + 1;
    rowTagsAt[next] = (rowTagsAt[next] as number) + 1;
  }
  for (let row = 0; row < count; row++)
    rowTagsAt[row + 1] = (rowTagsAt[row + 1] as number) + (rowTagsAt[row] as number);
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

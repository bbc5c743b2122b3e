import { bitWords, setBit } from '../../registry/catalog/bits.ts';
import { segmentBuilder } from '../../registry/catalog/build-segment.ts';
import { sharedBytes, sharedInts, sharedUints } from '../../registry/catalog/growing.ts';
import type { Segment } from '../../registry/catalog/segment.ts';
import { OWN_SOURCE } from '../../registry/own-listings.ts';
import { hashOf } from '../../../platform/text-cache.ts';
import { fold } from '../../registry/fold.ts';
import type { CapabilityDocument } from './document.ts';
import { LEVELS, SOURCES } from './document.ts';
import type { CapabilitySegment } from './segment.ts';
import { textBuilder } from './text-index.ts';
import { nameKey, nameLength, weigh } from './texts.ts';

/** Builds a segment of capability documents. */

/** What of a document depends on others; both from 0 to 255. */
export interface Standing {
  prior: number;
  copies: number;
}

export interface CapabilityBuilder {
  /** Each id once. */
  add(document: CapabilityDocument, standing: Standing): void;
  finish(): CapabilitySegment;
}

export function capabilityBuilder(): CapabilityBuilder {
  const list = segmentBuilder();
  const text = textBuilder();
  const added: Kept[] = [];
  return {
    add(document, standing) {
      const { wire } = document;
      list.add(itemFor(document), '', JSON.stringify(wire));
      text.add(weigh(document.searched));
      added.push({
        ...standing,
        sources: [...new Set(wire.sources.map(({ provider }) => SOURCES.indexOf(provider)))],
        level: LEVELS.indexOf(wire.verification.level),
        name_key: hashOf(nameKey(wire.name)),
        name_length: nameLength(wire.name),
        ids: idHashes(document),
      });
    },
    finish() {
      const { segment, rowOrder } = list.finishInOrder();
      return { count: segment.count, list: segment, text: text.finish(rowOrder), ...layOut(added, segment, rowOrder) };
    },
  };
}

interface Kept extends Standing {
  sources: number[];
  level: number;
  name_key: number;
  name_length: number;
  ids: number[];
}

/** What the catalogue's segment keeps of it: ids are found like authors. */
function itemFor({ wire, searched }: CapabilityDocument) {
  const ids = searched.places.map(({ external_id }) => external_id);
  return {
    ...{ name: wire.name, description: wire.description, version: '', homepage: '' },
    ...{ author: [wire.author, ...ids].join(' '), downloads: wire.downloads, stars: wire.stars, tags: wire.tags },
    ...{ provider_id: OWN_SOURCE, external_id: wire.id, external_updated_at: wire.updated_at },
    ...{ listing_type: wire.listing_type, execution_class: wire.execution_class },
  };
}

/** An id alone, and with its provider before it. */
const idHashes = ({ searched }: CapabilityDocument): number[] =>
  searched.places.flatMap(({ provider, external_id }) => [idHash(external_id), idHash(`${provider}/${external_id}`)]);

export const idHash = (id: string): number => hashOf(fold(id));

function layOut(added: readonly Kept[], list: Segment, rowOrder: Int32Array) {
  const count = rowOrder.length;
  const words = bitWords(count);
  const sources = sharedInts(SOURCES.length * words);
  const levels = sharedInts(LEVELS.length * words);
  const [nameKeys, nameLengths] = [sharedInts(count), sharedBytes(count)];
  const [priors, copies] = [sharedBytes(count), sharedBytes(count)];
  const ids: [hash: number, row: number][] = [];
  for (let row = 0; row < count; row++) {
    const it = added[rowOrder[row] as number] as Kept;
    for (const source of it.sources) setBit(sources.subarray(source * words, (source + 1) * words), row);
    setBit(levels.subarray(it.level * words, (it.level + 1) * words), row);
    nameKeys[row] = it.name_key;
    nameLengths[row] = it.name_length;
    priors[row] = it.prior;
    copies[row] = it.copies;
    for (const hash of it.ids) ids.push([hash, row]);
  }
  return { sources, levels, nameKeys, nameLengths, priors, copies, ...layOutIds(ids), ...tagsByRow(list) };
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
  for (let row = 0; row < count; row++) rowTagsAt[row + 1] = (rowTagsAt[row + 1] as number) + (rowTagsAt[row] as number);
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

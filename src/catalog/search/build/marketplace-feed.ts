import { fold } from '#catalog/changes/fold.ts';
import { changedCapabilities } from '#catalog/identity/capabilities.ts';
import { atOneMoment, type Connection } from '#core/db/connection.ts';
import { type CapabilityBuilder, capabilityBuilder, type Statistics } from '../index/capability-builder.ts';
import { type CapabilitySegment, readCapability } from '../index/capability-segment.ts';
import type { KnownTexts } from '../index/copies.ts';
import { type MarketplaceState, positionsIn } from '../index/delta.ts';
import type { CapabilityDocument } from '../index/document.ts';
import type { KnownLooks } from '../index/lookalikes.ts';
import type { Segment } from '../index/segment.ts';
import type { NameKey } from '../index/sort-orders.ts';
import type { DocumentChange, DocumentSource } from './document-source.ts';
import { addChanges, LEAST_WORK, type LiveIndex } from './live-index.ts';

/** Keeps the marketplace's index equal to the database: loads it once, then follows the changes. Entries are by id. */
export interface LiveMarketplace extends LiveIndex<CapabilitySegment, CapabilityDocument> {
  /** The newest change of capabilities, and of published listings, that it has. */
  seq: number;
  published: number;
  /** Of the base. */
  statistics: Statistics;
  texts: KnownTexts;
  looks: KnownLooks;
  /** Rows of the base by id. */
  rows: ReadonlyMap<string, number>;
  /** False while the first index is being built and covers only part of the capabilities. */
  is_whole: boolean;
}

/** The first load hands over an early index after this many documents. */
const EARLY = 2_000;

/** `early` receives an index of the first documents if there are many more. */
export const loadMarketplace = (
  connection: Connection,
  source: DocumentSource,
  early: (index: LiveMarketplace) => void = () => {},
): Promise<LiveMarketplace> =>
  atOneMoment(connection, async () => {
    const newest = await source.newest(connection);
    const builder = capabilityBuilder();
    let first: CapabilityBuilder | null = capabilityBuilder();
    const seen = new Set<string>();
    const add = ({ id, document }: DocumentChange): void => {
      if (document === null || seen.has(id)) return;
      seen.add(id);
      builder.add(document);
      first?.add(document);
    };
    for (const change of await source.builtIn(connection)) add(change);
    // This includes what is not linked yet. The rest of what is published follows with its capability.
    for (const change of await source.published(connection, 0)) add(change);
    for await (const page of changedCapabilities(connection, 0)) {
      if (first !== null && seen.size >= EARLY) {
        early({ ...loaded(first), seq: 0, published: 0, is_whole: false });
        first = null;
      }
      for (const change of await source.documents(connection, page)) add(change);
    }
    return { ...loaded(builder), ...newest, is_whole: true };
  });

function loaded(builder: CapabilityBuilder): Omit<LiveMarketplace, 'seq' | 'published' | 'is_whole'> {
  const { segment, statistics, texts, looks, ids } = builder.finish();
  const rows = new Map(ids.map((id, row) => [id, row]));
  return { base: segment, statistics, texts, looks, rows, changed: new Map(), deleted: null, work: 0 };
}

/** Null if nothing changed. */
export async function followMarketplace(
  connection: Connection,
  before: LiveMarketplace,
  source: DocumentSource,
): Promise<LiveMarketplace | null> {
  const { seq, published } = await source.newest(connection);
  if (seq === before.seq && published === before.published) return null;
  if (seq < before.seq || published < before.published) return loadMarketplace(connection, source);
  const { changes, ...newest } = await atOneMoment(connection, async () => {
    const moment = await source.newest(connection);
    // Built-in skills are few, and no change number covers them.
    const found = (await source.builtIn(connection)).filter((change) => isChanged(before, change));
    found.push(...(await source.published(connection, before.published)));
    for await (const page of changedCapabilities(connection, before.seq)) {
      found.push(...(await source.documents(connection, page)));
      if (found.length > before.base.count + LEAST_WORK) break;
    }
    return { ...moment, changes: found };
  });
  const work = before.work + before.changed.size + changes.length;
  // Once the deltas have cost as much as a base, a new base is built: in total at most twice the minimum.
  if (work > Math.max(LEAST_WORK, before.base.count)) return loadMarketplace(connection, source);
  return { ...withChanges(before, changes), ...newest, work };
}

function isChanged({ changed, rows, base }: LiveMarketplace, { id, document }: DocumentChange): boolean {
  const row = rows.get(id);
  const known = changed.get(id)?.wire ?? (row === undefined ? undefined : readCapability(base.list, row));
  return JSON.stringify(known) !== JSON.stringify(document?.wire);
}

export function withChanges(before: LiveMarketplace, changes: readonly DocumentChange[]): LiveMarketplace {
  const entries = changes.map(({ id, document }) => [id, document] as const);
  return { ...before, ...addChanges(before, entries, (id) => before.rows.get(id)) };
}

export function marketplaceStateOf(
  { base, statistics, texts, looks, changed, deleted, seq, published, is_whole }: LiveMarketplace,
  identity: string,
): MarketplaceState {
  const version = `${identity}-m${seq}-${published}${is_whole ? '' : '-early'}`;
  if (changed.size === 0) return { base, deleted: null, delta: null, version, is_whole };
  let delta = deltas.get(changed);
  if (delta === undefined) {
    delta = deltaOf({ base, statistics, texts, looks, changed });
    deltas.set(changed, delta);
  }
  return { base, deleted, delta, version, is_whole };
}

/** By what changed, because vectors arrive more often than changes. */
const deltas = new WeakMap<LiveMarketplace['changed'], MarketplaceState['delta']>();

function deltaOf({
  base,
  statistics,
  texts,
  looks,
  changed,
}: Pick<LiveMarketplace, 'base' | 'statistics' | 'texts' | 'looks' | 'changed'>): MarketplaceState['delta'] {
  const builder = capabilityBuilder();
  for (const document of changed.values()) if (document !== null) builder.add(document);
  const segment = builder.finishDelta({ statistics, texts, looks });
  return segment.count === 0 ? null : { segment, positions: positionsIn(base.list, segment.list, capabilityNameKey) };
}

/** The key by which the builder sorts names. All capabilities have the same provider there. */
function capabilityNameKey(list: Segment, row: number): NameKey {
  const { name, id } = readCapability(list, row);
  return [fold(name), '', id];
}

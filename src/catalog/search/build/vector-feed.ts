import type { Connection } from '#core/db/connection.ts';
import { readCapability } from '../index/capability-segment.ts';
import type { MarketplaceState } from '../index/delta.ts';
import { type CapabilityTools, toolName, toolsOfRow } from '../index/tool-segment.ts';
import { capabilityOfKey, toolKeyOf, vectorFrom, vectorStore } from '../index/vectors.ts';
import type { LiveMarketplace } from './marketplace-feed.ts';

/** Keeps the vectors of the index equal to the tables that a job fills (model/embed-documents.ts). */
interface VectorFeed {
  /** Reads what was added. True if something was. */
  follow(db: Pick<Connection, 'query'>): Promise<boolean>;
  /** The state with its vectors, and a version that names them. */
  withVectors(state: MarketplaceState, live: LiveMarketplace): MarketplaceState;
}

interface VectorRow {
  capability_id: string;
  /** '' for the capability itself. */
  tool: string;
  vector: string;
  seq: number;
}

const PAGE = 500;

/** `space` is that of `spaceOf`: vectors of other models are not comparable. */
export function vectorFeed(space: string): VectorFeed {
  let store = vectorStore();
  let change = -1;
  let base: LiveMarketplace['base'] | null = null;
  return {
    async follow(db) {
      const newest = await readChange(db);
      if (newest === change) return false;
      // The database was restored from a backup.
      if (newest < change) {
        store = vectorStore();
        change = -1;
      }
      for (const read of [rowsAfter, toolRowsAfter])
        for await (const { capability_id, tool, vector } of pagesOf(read, { db, space, newest, change }))
          store.add(tool === '' ? capability_id : toolKeyOf(capability_id, tool), vectorFrom(vector));
      change = newest;
      return true;
    },
    withVectors(state, live) {
      if (live.base !== base) {
        base = live.base;
        const isLive = (id: string): boolean => live.rows.has(id) || live.changed.has(id);
        if (store.isSparse(live.rows.size + live.base.tools.count))
          store = store.keeping((key) => isLive(capabilityOfKey(key)));
      }
      const version = `${state.version}-v${change}`;
      if (store.count === 0) return { ...state, version };
      const { dimensions, blocks } = store;
      const delta = state.delta?.segment ?? null;
      const vectors = {
        dimensions,
        blocks,
        base: store.slotsOf(state.base.count, live.rows),
        delta: delta === null ? null : store.slotsOf(delta.count, rowsOf(delta)),
        tools: {
          base: store.slotsOf(state.base.tools.count, toolsOf(state.base.tools, live.rows)),
          delta: delta === null ? null : store.slotsOf(delta.tools.count, toolsOf(delta.tools, rowsOf(delta))),
        },
      };
      return { ...state, version, vectors };
    },
  };
}

function* rowsOf({ count, list }: MarketplaceState['base']): Generator<[id: string, row: number]> {
  for (let row = 0; row < count; row++) yield [readCapability(list, row).id, row];
}

function* toolsOf(
  tools: CapabilityTools,
  rows: Iterable<readonly [id: string, row: number]>,
): Generator<[key: string, tool: number]> {
  if (tools.count === 0) return;
  for (const [id, row] of rows) {
    const [from, to] = toolsOfRow(tools, row);
    for (let tool = from; tool < to; tool++) yield [toolKeyOf(id, toolName(tools, tool)), tool];
  }
}

async function readChange(db: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await db.query<{ value: number }>("SELECT value FROM change_counters WHERE name = 'search_vectors'");
  return Number(row?.value ?? 0);
}

interface Reading {
  db: Pick<Connection, 'query'>;
  space: string;
  /** The newest announced change: the rows of the next one are still being written. */
  newest: number;
  /** The last change that was read. */
  change: number;
}

type Place = Pick<VectorRow, 'seq' | 'capability_id' | 'tool'>;
type ReadRows = (reading: Reading, after: Place) => Promise<VectorRow[]>;

/** Without the texts that the model refused, which have no vector. */
async function* pagesOf(read: ReadRows, reading: Reading): AsyncGenerator<VectorRow> {
  for (let after: Place = { seq: reading.change + 1, capability_id: '', tool: '' }; ; ) {
    const rows = await read(reading, after);
    for (const row of rows) if (row.vector !== '') yield row;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

const rowsAfter: ReadRows = ({ db, space, newest }, { seq, capability_id }) =>
  db.query(
    `SELECT capability_id, '' AS tool, vector, seq FROM search_vectors
     WHERE space = ? AND seq <= ? AND (seq, capability_id) > (?, ?) ORDER BY seq, capability_id LIMIT ${PAGE}`,
    [space, newest, seq, capability_id],
  );

const toolRowsAfter: ReadRows = ({ db, space, newest }, { seq, capability_id, tool }) =>
  db.query(
    `SELECT capability_id, tool, vector, seq FROM search_tool_vectors
     WHERE space = ? AND seq <= ? AND (seq, capability_id, tool) > (?, ?, ?)
     ORDER BY seq, capability_id, tool LIMIT ${PAGE}`,
    [space, newest, seq, capability_id, tool],
  );

import type { Connection } from '#core/db/connection.ts';
import { readCapability } from '../index/capability-segment.ts';
import type { MarketplaceState } from '../index/delta.ts';
import { vectorFrom, vectorStore } from '../index/vectors.ts';
import type { LiveMarketplace } from './marketplace-feed.ts';

/** Keeps the vectors of the index equal to the table `search_vectors`, which a job fills (model/embed-documents.ts). */
interface VectorFeed {
  /** Reads what was added. True if something was. */
  follow(db: Pick<Connection, 'query'>): Promise<boolean>;
  /** The state with its vectors, and a version that names them. */
  withVectors(state: MarketplaceState, live: LiveMarketplace): MarketplaceState;
}

interface VectorRow {
  capability_id: string;
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
      for (let after = { seq: change + 1, capability_id: '' }; ; ) {
        const rows = await rowsAfter(db, space, newest, after);
        // Without a vector: the model refused the text.
        for (const { capability_id, vector } of rows) if (vector !== '') store.add(capability_id, vectorFrom(vector));
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) break;
        after = last;
      }
      change = newest;
      return true;
    },
    withVectors(state, live) {
      if (live.base !== base) {
        base = live.base;
        const isLive = (id: string): boolean => live.rows.has(id) || live.changed.has(id);
        if (store.isSparse(live.rows.size)) store = store.keeping(isLive);
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
      };
      return { ...state, version, vectors };
    },
  };
}

function* rowsOf({ count, list }: MarketplaceState['base']): Generator<[id: string, row: number]> {
  for (let row = 0; row < count; row++) yield [readCapability(list, row).id, row];
}

async function readChange(db: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await db.query<{ value: number }>("SELECT value FROM change_counters WHERE name = 'search_vectors'");
  return Number(row?.value ?? 0);
}

/** Up to the newest announced change: the rows of the next one are still being written. */
const rowsAfter = (
  db: Pick<Connection, 'query'>,
  space: string,
  newest: number,
  { seq, capability_id }: Pick<VectorRow, 'seq' | 'capability_id'>,
): Promise<VectorRow[]> =>
  db.query(
    `SELECT capability_id, vector, seq FROM search_vectors
     WHERE space = ? AND seq <= ? AND (seq, capability_id) > (?, ?) ORDER BY seq, capability_id LIMIT ${PAGE}`,
    [space, newest, seq, capability_id],
  );

import { jsonPage } from '#core/http/json-page.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { findHarness } from '#runtime/harnesses/harnesses.ts';
import { noSuchHarness, noSuchMemory } from '#runtime/harnesses/refusals.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import type { memoryContract } from './contract.ts';
import { findRow, listHistory } from './memories.ts';
import { placeOf, readPath } from './memory-path.ts';
import { readMemory } from './read-memory.ts';

/** GET /api/harnesses/{id}/memory/{path} */
export const getMemory =
  ({ db }: HarnessesDeps): Handler<typeof memoryContract.get> =>
  async ({ params, query, caller, raw_path }) => {
    const { version, history, limit, offset } = query;
    const path = readPath(params.path);
    const harness = await findHarness(db, { user_id: caller.user_id, ref: params.id });
    if (harness === undefined) throw noSuchHarness();
    if (history !== true) return json(await readMemory(db, harness.number, path, version));
    const row = await findRow(db, harness.number, path, placeOf(path));
    if (row === undefined) throw noSuchMemory();
    const found = await listHistory(db, row, { limit, offset });
    return jsonPage(found, { limit, offset }, raw_path, { history });
  };

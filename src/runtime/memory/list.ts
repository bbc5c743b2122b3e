import { defined } from '#core/defined.ts';
import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import { findHarness } from '#runtime/harnesses/harnesses.ts';
import { changeUnclear, noSuchHarness } from '#runtime/harnesses/refusals.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import type { memoryContract } from './contract.ts';
import { listMemories as readMemories } from './memories.ts';
import { searchMemories } from './search-memories.ts';

/** GET /api/harnesses/{id}/memory */
export const listMemories =
  ({ db }: HarnessesDeps): Handler<typeof memoryContract.list> =>
  async ({ params: { id }, query, caller, raw_path }) => {
    const { prefix, search, limit, offset } = query;
    if (prefix !== undefined && search !== undefined) throw changeUnclear(['prefix', 'search']);
    const harness = await findHarness(db, { user_id: caller.user_id, ref: id });
    if (harness === undefined) throw noSuchHarness();
    const found =
      search === undefined
        ? await readMemories(db, harness.number, {
            ...defined({ prefix }),
            limit,
            offset,
          })
        : await searchMemories(db, harness.number, search, { limit, offset });
    return jsonPage(found, { limit, offset }, raw_path, { prefix, search });
  };

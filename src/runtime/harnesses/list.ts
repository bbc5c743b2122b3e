import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { harnessesContract } from './contract.ts';
import { harnessLine } from './harness-line.ts';
import { listHarnesses as readHarnesses } from './harnesses.ts';
import type { HarnessesDeps } from './usage.ts';

/** GET /api/harnesses */
export const listHarnesses =
  ({ db }: HarnessesDeps): Handler<typeof harnessesContract.list> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readHarnesses(db, caller.user_id, { limit, offset });
    return jsonPage({ items: items.map(harnessLine), total_count }, { limit, offset }, raw_path);
  };

import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { harnessesContract } from './contract.ts';
import { harnessLine } from './harness-line.ts';
import { listHarnesses as readHarnesses } from './harnesses.ts';
import type { HarnessesDeps } from './usage.ts';

/** GET /api/harnesses */
export const listHarnesses =
  ({ db }: HarnessesDeps): Handler<typeof harnessesContract.listHarnesses> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readHarnesses(db, caller.user_id, { limit, offset });
    const page = { total_count, limit, offset };
    return json({ items: items.map(harnessLine), ...page }, { headers: pageLinks(raw_path, page, `limit=${limit}`) });
  };

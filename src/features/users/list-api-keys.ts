import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { listApiKeys as readApiKeys } from './api-keys.ts';
import type { usersContract } from './contract.ts';
import type { UsersDeps } from './deps.ts';

/** GET /api/users/{id}/api-keys. So few that they are read whole and the page is cut out. */
export const listApiKeys =
  ({ database }: UsersDeps): Handler<typeof usersContract.listApiKeys> =>
  async ({ params: { id }, query: { limit, offset }, raw_path }) => {
    const keys = await readApiKeys(database.db, id);
    const page = { total_count: keys.length, limit, offset };
    const headers = pageLinks(raw_path, page, `limit=${limit}`);
    return json({ items: keys.slice(offset, offset + limit), ...page }, { headers });
  };

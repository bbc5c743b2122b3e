import type { UsersDeps } from '#accounts/users/deps.ts';
import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import { listApiKeys as readApiKeys } from './api-keys.ts';
import type { apiKeysContract } from './contract.ts';

/** GET /api/users/{id}/api-keys. There are few, so all are read and the page is sliced. */
export const listApiKeys =
  ({ database }: UsersDeps): Handler<typeof apiKeysContract.list> =>
  async ({ params: { id }, query: { limit, offset }, raw_path }) => {
    const keys = await readApiKeys(database.db, id);
    const items = keys.slice(offset, offset + limit);
    return jsonPage({ items, total_count: keys.length }, { limit, offset }, raw_path);
  };

import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { listRigs as readRigs } from './rigs.ts';
import { rigLine } from './show-rig.ts';

export const listRigs =
  ({ db }: RigsDeps): Handler<typeof rigsContract.listRigs> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readRigs(db, caller.user_id, { limit, offset });
    const page = { total_count, limit, offset };
    return json({ items: items.map(rigLine), ...page }, { headers: pageLinks(raw_path, page, `limit=${limit}`) });
  };

import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { listRigs as readRigs } from './rigs.ts';
import { rigLine } from './show-rig.ts';

export const listRigs =
  ({ db }: RigsDeps): Handler<typeof rigsContract.list> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readRigs(db, caller.user_id, { limit, offset });
    return jsonPage({ items: items.map(rigLine), total_count }, { limit, offset }, raw_path);
  };

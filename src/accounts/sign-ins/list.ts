import type { AuthDeps } from '#accounts/auth/deps.ts';
import { isoTime } from '#core/clock/clock.ts';
import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { shownSignIn } from './sign-in.ts';
import { listSignIns as readSignIns } from './sign-ins.ts';

/** GET /api/auth/sessions */
export const listSignIns =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInsContract.list> =>
  async ({ caller: { user_id, sign_in_id }, raw_path, query: { limit, offset } }) => {
    const page = { limit, offset };
    const { items, total_count } = await readSignIns(db, user_id, isoTime(clock.now()), page);
    return jsonPage({ items: items.map((row) => shownSignIn(row, sign_in_id)), total_count }, page, raw_path);
  };

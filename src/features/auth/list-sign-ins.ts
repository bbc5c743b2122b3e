import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { shownSignIn } from './sign-ins/sign-in.ts';
import { listSignIns as readSignIns } from './sign-ins/sign-ins.ts';

/** GET /api/auth/sessions */
export const listSignIns =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInOperations.listSignIns> =>
  async ({ caller: { user_id, sign_in_id }, raw_path, query: { limit, offset } }) => {
    const { rows, total_count } = await readSignIns(db, user_id, isoTime(clock.now()), { limit, offset });
    const items = rows.map((row) => shownSignIn(row, sign_in_id));
    const headers = pageLinks(raw_path, { limit, offset, total_count }, `limit=${limit}`);
    return json({ items, total_count, limit, offset }, { headers });
  };

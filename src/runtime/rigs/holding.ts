import type { Holding } from '#accounts/users/holding.ts';
import { defined } from '#core/defined.ts';
import { listRigs, listVersions } from './rigs.ts';
import { storedRig } from './stored-rig.ts';

const MOST_RIGS = 10_000;
/** Characters of rig.yaml in total, because an export is one response. */
const MOST_CONTENT = 16 * 1024 * 1024;

/** Rigs fall with their owner's row. The export shows every version with its rig.yaml, the newest first. */
export const rigsHolding: Holding = {
  name: 'rigs',
  read: async (db, { user_id }) => {
    const { items } = await listRigs(db, user_id, { limit: MOST_RIGS, offset: 0 });
    const shown: unknown[] = [];
    let left = MOST_CONTENT;
    for (const { id, name, created_at } of items) {
      const versions: unknown[] = [];
      for (const { version } of await listVersions(db, id)) {
        const { yaml, digest, lock_digest } = (await storedRig(db, { user_id, ref: id }, version)).version;
        left -= yaml.length;
        versions.push({ version, digest, lock_digest, ...defined({ yaml: left > 0 ? yaml : undefined }) });
      }
      shown.push({ id, name, created_at, versions });
    }
    return shown;
  },
};

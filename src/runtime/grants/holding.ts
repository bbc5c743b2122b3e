import type { Holding } from '#accounts/users/holding.ts';
import { findGrant, skillsWithGrants } from './skill-grants.ts';

const MOST = 1_000;

/** Grants, secrets and locks fall with their owner's row. The export has everything but the values of secrets. */
export const grantsHolding: Holding = {
  name: 'skill_grants',
  read: async (db, { user_id }) => {
    const shown: unknown[] = [];
    for (const skill of await skillsWithGrants(db, user_id, MOST))
      shown.push(Object.assign({ skill }, await findGrant(db, { user_id, skill })));
    return shown;
  },
};

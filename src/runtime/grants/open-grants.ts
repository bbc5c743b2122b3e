import type { Kysely } from 'kysely';
import { lockUser } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { Problem } from '#core/problem/problem.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { NativeGiven, NativeLocks } from '#runtime/native/native-scripts.ts';
import { requireRoom } from './require-room.ts';
import {
  editGrant,
  findGrant,
  type GrantPlace,
  listingOf,
  NO_GRANT,
  readSkillSecrets,
  type SkillGrant,
} from './skill-grants.ts';
import { findLock, keepLock } from './skill-locks.ts';

/** What a run of a skill reads and writes of its user's grants. */
export interface SkillGrants {
  /** Without values of secrets. */
  find(of: RunOf): Promise<SkillGrant>;
  /** Everything that the box of this version is started with: without secrets and hosts if its user has not agreed to it. */
  open(of: RunOf, digest: string): Promise<NativeGiven>;
  /** Later runs of these packages do not ask again. */
  accept(of: RunOf, packages: string): Promise<void>;
  /** Adds hosts that a run was refused, so that its user can allow them. */
  sawRefused(of: RunOf, hosts: readonly string[]): Promise<void>;
  locks(of: RunOf, digest: string): NativeLocks;
}

/** `user_id` is null for runs of the operator, which store nothing but locks. */
export interface RunOf {
  user_id: string | null;
  /** `provider/external_id`, and for published skills `capstan/id`. */
  skill: string;
}

interface GrantsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  keys(): Promise<KeyProvider>;
  /** Null where no account is charged. */
  storage: StorageGate | null;
}

const MOST_WANTED = 100;

export function openGrants({ db, clock, keys, storage }: GrantsDeps): SkillGrants {
  const now = () => isoTime(clock.now());
  const find = async (of: RunOf) => (isOwned(of) ? findGrant(db, of) : NO_GRANT);
  return {
    find,
    open: async (of, digest) => {
      const { environment, hosts, secrets, agreed } = await find(of);
      if (agreed !== digest) return { environment, secrets: {}, hosts: [] };
      const values = isOwned(of) && secrets.length > 0 ? await readSkillSecrets(db, await keys(), of) : {};
      return { environment, secrets: values, hosts };
    },
    accept: async (of, packages) => {
      if (!isOwned(of)) return;
      await db.transaction().execute(async (trx) => {
        await requireRoom(trx, storage, of, packages.length);
        await editGrant(trx, of, { accepted: packages }, now());
      });
    },
    sawRefused: async (of, hosts) => {
      if (!isOwned(of) || hosts.length === 0) return;
      await db
        .transaction()
        .execute(async (trx) => {
          await lockUser(trx, of.user_id);
          const known = await findGrant(trx, of);
          const wanted_hosts = [...new Set([...known.wanted_hosts, ...hosts])].slice(0, MOST_WANTED);
          if (wanted_hosts.length === known.wanted_hosts.length) return;
          await requireRoom(trx, storage, of, JSON.stringify(hosts).length);
          await editGrant(trx, of, { wanted_hosts }, now());
        })
        .catch((error) => {
          // These are only suggestions: an account without room for them keeps its run.
          if (!(error instanceof Problem)) throw error;
        });
    },
    locks: (of, digest) => {
      const { user_id } = of;
      const place = { user_id, ...listingOf(of.skill), digest };
      return {
        find: (ecosystem, wanted) => findLock(db, { ...place, ecosystem }, wanted, now()),
        keep: (ecosystem, wanted, lock) =>
          db.transaction().execute(async (trx) => {
            if (user_id !== null) await storage?.require(trx, user_id, 'skills', lock.content.length);
            await keepLock(trx, { ...place, ecosystem }, wanted, lock, now());
          }),
      };
    },
  };
}

const isOwned = (of: RunOf): of is GrantPlace => of.user_id !== null;

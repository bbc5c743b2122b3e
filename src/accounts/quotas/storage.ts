import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { findUser } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { STORAGE_KINDS, type StorageKind } from '#core/storage/charged.ts';
import type { StorageGate, StorageShown } from '#core/storage/gate.ts';
import { readStorage, type StorageUsage } from '#core/storage/usage.ts';
import { shortBytes } from '#core/text/short-bytes.ts';
import { TIER_NAMES, type TierName, tierNamed } from './tiers.ts';

/** Storage limits of accounts by tier, and the errors when they are reached. */

type Db = Kysely<Schema>;

/** Bytes by tier. */
type StorageLimits = Record<TierName, number>;

const MB = 1_000_000;

export const storageLimits = (megabytes: Record<TierName, number>): StorageLimits =>
  Object.fromEntries(TIER_NAMES.map((tier) => [tier, megabytes[tier] * MB])) as StorageLimits;

/**
 * The part of an account's limit that one kind may use. Null: always stored, because it must not be lost when an
 * account is full. Such kinds do not count toward the total; other limits apply to them.
 */
const SHARES: Record<StorageKind, number | null> = {
  tasks: 0.75,
  traces: 0.25,
  receipts: null,
  conversations: 0.5,
  connections: 0.1,
  memory: 0.75,
  rigs: 0.25,
  skills: 0.1,
  published: 0.75,
  idempotency: 0.05,
  audit: null,
};

/** How users can free storage. */
const REMEDIES: Record<StorageKind, string> = {
  tasks: 'Delete tasks that you no longer need.',
  traces: 'Traces expire automatically.',
  receipts: 'Receipts are permanent.',
  conversations: 'Delete conversations that you no longer need.',
  connections: 'Delete connections that you no longer need.',
  memory: 'Delete harnesses that you no longer need.',
  rigs: 'Delete rigs that you no longer need.',
  skills: 'Delete the settings of skills that you no longer use.',
  published: 'Published versions are permanent. Ask the operator for a larger tier.',
  idempotency: 'Stored responses expire after a day.',
  audit: 'Audit entries expire automatically.',
};

/** Called for every refused request with the kind it would have stored. */
type CountStorageRefusal = (kind: StorageKind) => void;

export function storageGate(limits: StorageLimits, count?: CountStorageRefusal): StorageGate {
  const limitOf = (tier: string): number => limits[tierNamed(tier) ?? 'free'];
  const look = async (db: Db, userId: string) => {
    const [user, usage] = [await findUser(db, userId), await readStorage(db, userId)];
    return { usage, limit: limitOf(user?.tier ?? 'free') };
  };
  return {
    require: async (db, userId, kind, bytes = 0) => {
      const { usage, limit } = await look(db, userId);
      const refusal = refusalOf(usage, limit, { kind, bytes });
      if (refusal === null) return;
      count?.(kind);
      throw refusal;
    },
    share: async (db, userId, kind) => {
      const { usage, limit } = await look(db, userId);
      return { used_bytes: usage[kind], limit_bytes: shareOf(kind, limit) ?? Number.POSITIVE_INFINITY };
    },
    cut: (kind) => count?.(kind),
    read: async (db, { user_id, tier }) => shownStorage(await readStorage(db, user_id), limitOf(tier)),
  };
}

function shareOf(kind: StorageKind, limit: number): number | null {
  const share = SHARES[kind];
  return share === null ? null : Math.floor(limit * share);
}

/** Without kinds that are always stored. */
const totalOf = (usage: StorageUsage): number =>
  STORAGE_KINDS.reduce((sum, kind) => (SHARES[kind] === null ? sum : sum + usage[kind]), 0);

const shownStorage = (usage: StorageUsage, limit: number): StorageShown => ({
  used_bytes: totalOf(usage),
  limit_bytes: limit,
  kinds: STORAGE_KINDS.map((kind) => ({ kind, used_bytes: usage[kind], limit_bytes: shareOf(kind, limit) })),
});

interface Adding {
  kind: StorageKind;
  bytes: number;
}

/** Null if it fits. Otherwise names the largest kind, because deleting that helps most. */
function refusalOf(usage: StorageUsage, limit: number, { kind, bytes }: Adding): Problem | null {
  const share = shareOf(kind, limit);
  const total = totalOf(usage);
  const extensions = { storage: shownStorage(usage, limit) };
  if (share !== null && usage[kind] + bytes > share)
    return storageFull(
      `Your ${NOUNS[kind]} use ${shortBytes(usage[kind])} of ${shortBytes(share)}. ${REMEDIES[kind]}`,
      extensions,
    );
  if (total + bytes <= limit) return null;
  const largest = STORAGE_KINDS.filter((storageKind) => SHARES[storageKind] !== null).reduce((a, b) =>
    usage[b] > usage[a] ? b : a,
  );
  return storageFull(
    `Your account uses ${shortBytes(total)} of ${shortBytes(limit)}, mostly for ${NOUNS[largest]} ` +
      `(${shortBytes(usage[largest])}). ${REMEDIES[largest]}`,
    extensions,
  );
}

const NOUNS: Record<StorageKind, string> = {
  tasks: 'tasks',
  traces: 'traces',
  receipts: 'receipts',
  conversations: 'conversations',
  connections: 'connections',
  memory: 'harnesses and memories',
  rigs: 'rigs',
  skills: 'settings of skills',
  published: 'published versions',
  idempotency: 'stored responses',
  audit: 'audit entries',
};

const storageFull = (detail: string, extensions: Record<string, unknown>): Problem =>
  accountsProblem('users.quota_exceeded', detail, { reason: 'storage_full', extensions });

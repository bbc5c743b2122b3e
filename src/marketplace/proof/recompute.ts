import type { Kysely } from 'kysely';
import { touchCapabilities } from '#catalog/identity/capabilities.ts';
import { builtInName } from '#catalog/items/own-listings.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import { type CallerFacts, DAY_MS, HISTORY_DAYS } from './caller-weight.ts';
import { accountsOf, factsOf } from './callers.ts';
import { type AsOf, type Computed, compute } from './compute.ts';
import type { Callers } from './hot-score.ts';
import { replaceProofs } from './proofs.ts';
import { type OwnerFacts, relatedToOwners, weighAll } from './related.ts';
import { dropScores, type Score, saveScore, scoresOf } from './scores.ts';
import type { RunSource } from './source.ts';
import { isSubject, type OwnersOf, publishersOf, type Target, targetsOf } from './targets.ts';

/** Computes levels and scores of capabilities, and saves changes. */

type Reader = Pick<Connection, 'query'>;

export interface ComputeDeps {
  reader: Reader;
  source: RunSource;
  ownersOf: OwnersOf;
}

export interface ComputedTarget extends Computed {
  target: Target;
  /** All accounts that ran it. */
  callers: Callers;
}

/** Facts about accounts, which are read once for all pages of one pass. */
export type KnownCallers = Map<string, CallerFacts>;

export async function computeAll(
  { reader, source, ownersOf }: ComputeDeps,
  ids: readonly string[],
  as_of: AsOf,
  known: KnownCallers = new Map(),
): Promise<ComputedTarget[]> {
  const { now_ms, log_size } = as_of;
  const targets = await targetsOf(reader, ids, ownersOf);
  const from = isoTime(now_ms - HISTORY_DAYS * DAY_MS);
  const subjects = targets.flatMap(({ members }) => members.map(({ subject }) => subject));
  const runs = Map.groupBy(await source.runsOf(subjects, from, log_size), (run) => run.subject);
  const users = new Set<string>();
  for (const some of runs.values()) for (const { user_id } of some) if (user_id !== null) users.add(user_id);
  await learn(
    { reader, source },
    [...users].filter((user) => !known.has(user)),
    from,
    log_size,
    known,
  );
  const owners = await ownersBy(
    reader,
    targets.flatMap((target) => [...target.owners]),
  );
  return targets.map((found) => {
    const its = found.members.flatMap(({ subject }) => runs.get(subject) ?? []);
    const facts = factsOfAll(new Set(its.flatMap((run) => run.user_id ?? [])), known);
    const related = relatedToOwners(
      facts,
      [...found.owners].flatMap((id) => owners.get(id) ?? []),
    );
    const target = { ...found, owners: found.owners.union(related) };
    const callers = weighAll(facts, now_ms);
    return { target, callers, ...compute(target, its, callers, as_of) };
  });
}

async function learn(
  { reader, source }: Pick<ComputeDeps, 'reader' | 'source'>,
  users: readonly string[],
  from: string,
  logSize: number,
  known: KnownCallers,
): Promise<void> {
  const days = await source.daysOf(users, from, logSize);
  const publishers = await publishersOf(reader, [...new Set(days.map(({ subject }) => subject))]);
  for (const [id, facts] of factsOf(await accountsOf(reader, users), days, publishers)) known.set(id, facts);
}

/** Facts about the accounts of publishers. */
async function ownersBy(reader: Reader, ids: readonly string[]): Promise<Map<string, OwnerFacts>> {
  const accounts = await accountsOf(reader, [...new Set(ids)]);
  return new Map(
    accounts.map(({ id, created_at, networks }) => [id, { created_ms: Date.parse(created_at), networks }]),
  );
}

/** Deleted accounts have no facts. */
const factsOfAll = (ids: ReadonlySet<string>, known: KnownCallers): Map<string, CallerFacts> =>
  new Map(
    [...ids].toSorted().flatMap((id) => {
      const facts = known.get(id);
      return facts === undefined ? [] : [[id, facts] as const];
    }),
  );

/** Saves in the caller's transaction. Returns how many capabilities changed visibly. */
export async function keep(
  trx: Kysely<Schema>,
  reader: Reader,
  ids: readonly string[],
  computed: readonly ComputedTarget[],
  now_ms: number,
): Promise<number> {
  const before = await scoresOf(reader, ids);
  const standing = new Set(computed.flatMap(({ score, target }) => (score === null ? [] : [target.id])));
  const gone = [...before.keys()].filter((id) => !standing.has(id));
  const changed = new Set(gone);
  await dropScores(trx, gone);
  for (const { target, score, proofs } of computed) {
    await replaceProofs(
      trx,
      target.members.map(({ subject }) => subject),
      proofs,
    );
    if (score === null) continue;
    const known = before.get(target.id);
    if (known === undefined || shownIn(known) !== shownIn(score)) changed.add(target.id);
    await saveScore(trx, score);
  }
  await touchCapabilities(
    trx,
    // A built-in skill has no row, but the change number makes the index read it.
    [...changed].filter((id) => !isSubject(id) || builtInName(id) !== null),
    now_ms,
  );
  return changed.size;
}

/** The score without the time and log size of its computation. */
const shownIn = ({ log_size: _, computed_at: __, ...shown }: Score): string => JSON.stringify(shown);

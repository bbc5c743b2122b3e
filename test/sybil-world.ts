import { type CallerFacts, DAY_MS } from '#marketplace/proof/caller-weight.ts';
import { factsOf } from '#marketplace/proof/callers.ts';
import { type Callers, type CountedRun, hotScore, oneADay } from '#marketplace/proof/hot-score.ts';
import { type LevelRun, levelsOf } from '#marketplace/proof/level.ts';
import { relatedToOwners, weighAll } from '#marketplace/proof/related.ts';

/** A marketplace in memory: accounts, what they ran and when, and the scores that come of it. Deterministic. */

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const HISTORY_MS = 90 * DAY_MS;

interface Account {
  id: string;
  tier: string;
  created_at: string;
  networks: readonly string[];
}

interface Ran {
  user_id: string;
  subject: string;
  at_ms: number;
  completed: boolean;
}

/** Small and seeded, so that a failure can be looked at again. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function sybilWorld(seed: number) {
  const next = random(seed);
  const accounts: Account[] = [];
  const runs: Ran[] = [];
  const publishers = new Map<string, string>();
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  /** Forty listings of thirty publishers that everybody may run. */
  const others = Array.from({ length: 40 }, (_, at) => {
    publishers.set(`other-${at}`, `publisher-${at % 30}`);
    return `other-${at}`;
  });

  /** From its own network by default. */
  const account = (ageDays: number, tier = 'free', network?: string): string => {
    const id = `account-${accounts.length}`;
    const created_at = new Date(NOW - ageDays * DAY_MS).toISOString();
    accounts.push({ id, tier, created_at, networks: [network ?? `network-${accounts.length}`] });
    return id;
  };
  /** The accounts that publish a subject. */
  const owners = new Map<string, string[]>();
  const ran = (user_id: string, subject: string, daysAgo: number, completed = true): void => {
    runs.push({ user_id, subject, at_ms: NOW - daysAgo * DAY_MS, completed });
  };

  /** People who came one after another, use many things now and then, and this one every few days. */
  const people = (subject: string, count: number, { failing = 0.05 } = {}): void => {
    publishers.set(subject, `publisher of ${subject}`);
    for (let n = 0; n < count; n++) {
      const tier = n % 5 === 0 ? 'casual' : n % 12 === 1 ? 'pro' : 'free';
      const user = account(61 + next() * 600, tier);
      for (let day = next() * 6; day < 60; day += 2 + next() * 5) ran(user, subject, day, next() >= failing);
      for (let times = 0; times < 14; times++) ran(user, pick(others), next() * 60, next() >= 0.05);
    }
  };

  const score = (subject: string, nowMs = NOW): number => {
    const callers = callersOf(subject, nowMs);
    return hotScore(oneADay(countedOf(subject)), callers, nowMs);
  };
  const countedOf = (subject: string): CountedRun[] =>
    runs
      .filter((run) => run.subject === subject && !isOwn(subject, run.user_id))
      .map(({ user_id, at_ms, completed }) => ({ caller: user_id, at_ms, completed }));

  function isOwn(subject: string, userId: string): boolean {
    const own = new Set(owners.get(subject) ?? []);
    if (own.size === 0) return false;
    const known = new Map(
      accounts.map((account) => [
        account.id,
        { created_ms: Date.parse(account.created_at), networks: account.networks },
      ]),
    );
    const its = [...own].flatMap((id) => known.get(id) ?? []);
    return own.has(userId) || relatedToOwners(new Map([[userId, known.get(userId) as never]]), its).has(userId);
  }

  function callersOf(subject: string, nowMs: number): Callers {
    const ids = new Set(runs.filter((run) => run.subject === subject).map(({ user_id }) => user_id));
    const days = new Map<string, { user_id: string; subject: string; day: string }>();
    for (const { user_id, at_ms, subject: ran } of runs) {
      if (!ids.has(user_id) || at_ms > nowMs || at_ms <= nowMs - HISTORY_MS) continue;
      const day = new Date(at_ms).toISOString().slice(0, 10);
      days.set(`${user_id} ${day} ${ran}`, { user_id, subject: ran, day });
    }
    const its = accounts.filter(({ id }) => ids.has(id));
    const facts: Map<string, CallerFacts> = factsOf(its, [...days.values()], publishers);
    return weighAll(facts, nowMs);
  }

  const level = (subject: string): string => {
    const of: LevelRun[] = countedOf(subject);
    return levelsOf(of, [], callersOf(subject, NOW), NOW).at(-1)?.level ?? 'listed';
  };
  return { account, ran, people, score, level, publishers, owners, others, pick, next };
}

type SybilWorld = ReturnType<typeof sybilWorld>;

type Hands = Pick<SybilWorld, 'account' | 'ran' | 'others' | 'pick' | 'next'>;

/** An account that has run things of many publishers, as an established one has. */
function busy({ account, ran, others, pick, next }: Hands, ageDays: number, network?: string): string {
  const user = account(ageDays, 'free', network);
  for (let times = 0; times < 15; times++) ran(user, pick(others), next() * 60);
  return user;
}

/** What no attack of these may reach: no level by runs, and no score, so no place among what is featured or trending. */
export const NOTHING_COMES_OF = [
  'two accounts, one run',
  'two aged accounts, one run each',
  'fifty fresh accounts',
  'fifty aged sleepers from one network',
  'fifty aged sleepers that were made in one hour',
  'aged sleepers from the network of the publisher',
  'fresh accounts, all in an hour',
  'accounts a month old, all in an hour',
  'accounts a month old, each every day',
  'accounts a month old, in a slow drip',
] as const;

/** What a publisher does with a thousand accounts for the listing `bad`; `good` has its users already. */
export const ATTACKS: Record<string, (world: SybilWorld, accounts: number) => void> = {
  'two accounts, one run': ({ account, ran, owners }) => {
    owners.set('bad', [account(3)]);
    ran(account(2), 'bad', 0.1);
  },
  'two aged accounts, one run each': ({ account, ran, others, pick, next }) => {
    for (let n = 0; n < 2; n++) ran(busy({ account, ran, others, pick, next }, 90 + n), 'bad', 0.1);
  },
  'fifty fresh accounts': ({ account, ran, next }) => {
    for (let n = 0; n < 50; n++) ran(account(next()), 'bad', next());
  },
  'fifty aged sleepers from one network': ({ account, ran, others, pick, next }) => {
    for (let n = 0; n < 50; n++)
      ran(busy({ account, ran, others, pick, next }, 70 + next() * 200, '198.51.100.0/24'), 'bad', next() * 3);
  },
  'fifty aged sleepers that were made in one hour': ({ account, ran, others, pick, next }) => {
    for (let n = 0; n < 50; n++) ran(busy({ account, ran, others, pick, next }, 90 + next() / 24), 'bad', next() * 3);
  },
  'aged sleepers from the network of the publisher': ({ account, ran, others, pick, next, owners }) => {
    owners.set('bad', [account(400, 'free', '198.51.100.0/24')]);
    for (let n = 0; n < 50; n++)
      ran(busy({ account, ran, others, pick, next }, 70 + next() * 200, '198.51.100.0/24'), 'bad', next() * 3);
  },
  'fresh accounts, all in an hour': ({ account, ran, next }, count) => {
    for (let n = 0; n < count; n++) ran(account(0.5), 'bad', next() / 24);
  },
  'accounts a month old, all in an hour': ({ account, ran, next }, count) => {
    for (let n = 0; n < count; n++) ran(account(30 + next()), 'bad', next() / 24);
  },
  'accounts a month old, each every day': ({ account, ran }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(31);
      for (let day = 0; day < 30; day++) ran(user, 'bad', day);
    }
  },
  'accounts a month old, in a slow drip': ({ account, ran }, count) => {
    for (let n = 0; n < count; n++) ran(account(30 + n * 0.03), 'bad', (n / count) * 3);
  },
  'accounts a month old that run other things too, to hide': ({ account, ran, others, pick, next }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(31 + next());
      for (let times = 0; times < 12; times++) ran(user, pick(others), next() * 30);
      for (let day = 0; day < 30; day += 3) ran(user, 'bad', day + next());
    }
  },
  'the same in the last three days alone, to surge': ({ account, ran, others, pick, next }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(45);
      for (let times = 0; times < 12; times++) ran(user, pick(others), next() * 40);
      for (let day = 0; day < 3; day++) ran(user, 'bad', day);
    }
  },
  'old accounts that run this publisher’s things alone, under ten listings': (
    { account, ran, publishers, next },
    count,
  ) => {
    const own = Array.from({ length: 10 }, (_, at) => `bad-${at}`);
    for (const id of own) publishers.set(id, 'publisher of bad');
    for (let n = 0; n < count; n++) {
      const user = account(200);
      for (const id of own) ran(user, id, next() * 60);
      for (let day = 0; day < 30; day += 5) ran(user, 'bad', day + next());
    }
  },
  'fails the honest one on purpose, and runs its own': ({ account, ran, others, pick, next }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(31 + next());
      for (let times = 0; times < 8; times++) ran(user, pick(others), next() * 30);
      for (let day = 0; day < 28; day += 2) ran(user, 'good', day + next(), false);
      for (let day = 0; day < 28; day += 2) ran(user, 'bad', day + next());
    }
  },
  'hides, surges, and fails the honest one, all at once': ({ account, ran, others, pick, next }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(45 + next() * 10);
      for (let times = 0; times < 15; times++) ran(user, pick(others), next() * 45);
      for (let day = 0; day < 3; day++) ran(user, 'bad', day);
      for (let day = 0; day < 28; day += 3) ran(user, 'good', day + next(), false);
    }
  },
  'accounts that are paid for, and run this publisher’s things alone': ({ account, ran, next }, count) => {
    for (let n = 0; n < count; n++) {
      const user = account(100, 'casual');
      for (let day = 0; day < 20; day += 4) ran(user, 'bad', day + next());
    }
  },
};

import { setImmediate as turn } from 'node:timers/promises';
import type { Listing } from '#catalog/items/item.ts';
import { LIMIT_SETTINGS } from '#core/limits/settings.ts';
import { createLog } from '#core/log.ts';
import { type Account, accountsOf } from '../accounts.ts';
import { saveAll } from '../interop-stand.ts';
import { listing, remote } from '../listings.ts';
import { openWorld } from '../world.ts';
import type { Offered } from './mcp-requests.ts';
import type { FuzzRequest } from './rest-requests.ts';

/** The real app on its own port, with listings, accounts, and what its answers gave. */
export interface FuzzStand extends AsyncDisposable {
  url: URL;
  offered: Offered;
  /** Lines of the log that report bugs. */
  bugs: string[];
  credentials(kind: FuzzRequest['credential']): Promise<Record<string, string>>;
  /** A new account in place of the one that has signed out or is gone. */
  renew(): Promise<void>;
  user_id(): string;
}

/** Those of passwords stay: each costs its time. */
const LIMITED = ['email', 'mails', 'failed_logins'];
const UNLIMITED = Object.keys(LIMIT_SETTINGS)
  .filter((name) => !LIMITED.includes(name))
  .map((name): [string, string] => [`CAPSTAN_LIMIT_${name.toUpperCase()}`, '100000/1s']);

const LISTINGS: Listing[] = [
  listing('smithery', '@a/weather%20x', {
    name: '<b>Weather</b>\u202e',
    description: ']]>&\0\u200b"',
    tags: ['a', '<'],
  }),
  listing('mcp-registry', 'io.example/forge', { name: 'Forge', ...remote('http://127.0.0.1:9/mcp') }),
  listing('clawhub', 'a/b/md', { name: 'x'.repeat(300), homepage: 'javascript:alert(1)' }),
];

export interface StandOptions {
  /** Of PostgreSQL; SQLite where left out. */
  database_url?: string;
  /** `serve` also runs what tasks are for. */
  role?: 'serve' | 'quiet';
}

export async function openFuzzStand({ database_url = '', role = 'quiet' }: StandOptions): Promise<FuzzStand> {
  const bugs: string[] = [];
  const log = createLog('error', { write: (line) => void bugs.push(line.trim()) });
  const env = {
    ...Object.fromEntries(UNLIMITED),
    CAPSTAN_ALLOWED_ORIGINS: 'https://app.example',
    DATABASE_URL: database_url,
    // Nobody runs what a turn would wait for.
    CAPSTAN_CHAT_TIMEOUT: role === 'quiet' ? '1s' : '20s',
    // Without a worker, a run that is waited for does not end.
    CAPSTAN_TRIALS_PER_DAY: role === 'quiet' ? '0' : '500',
  };
  const world = await openWorld(env, role, undefined, log);
  await saveAll(world.database.db, LISTINGS);
  const { url } = await world.listen();
  // The index is built meanwhile, and until then an honest answer is 503.
  while ((await fetch(new URL('/readyz', url))).status !== 200) await turn();
  const accounts = await accountsOf(world);
  let held = await hold(await accounts.signUp());
  const renew = async (): Promise<void> => {
    held = await hold(await accounts.signUp());
  };
  /** Another request may have ended the session a moment ago. */
  const proof = () =>
    held.account.stepUp().catch(async () => {
      await renew();
      return held.account.stepUp();
    });
  const offered = await offeredBy(world.get);
  return {
    url: new URL(url),
    offered,
    bugs,
    user_id: () => held.account.user.id,
    renew,
    credentials: async (kind) => {
      if (kind === 'none') return {};
      const confirmation = kind === 'proven' ? await proof() : {};
      const { account, reader, key } = held;
      const bearer = { bad: 'x.y.z', reader, key, full: account.token, proven: account.token }[kind];
      return { authorization: `Bearer ${bearer}`, ...confirmation };
    },
    [Symbol.asyncDispose]: () => world.close(),
  };
}

const hold = async (account: Account) => ({
  account,
  reader: await account.newApiKey(['read']),
  key: await account.newApiKey(['read', 'write', 'admin']),
});

async function offeredBy(get: <T>(path: string) => Promise<T>): Promise<Offered> {
  const listed = async <K extends keyof Offered>(name: K) => (await get<{ items: Offered[K] }>(`/mcp/${name}`)).items;
  return { tools: await listed('tools'), resources: await listed('resources'), prompts: await listed('prompts') };
}

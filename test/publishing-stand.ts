import { addWallet } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { createWallets } from '#accounts/wallets/wallets.ts';
import { unlinkedCounter } from '#catalog/identity/progress.ts';
import type { Item } from '#catalog/items/item.ts';
import { withoutProbe } from '#catalog/items/runnable.ts';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Handler, Reply } from '#core/http/operation.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';
import { wellKnown } from '#marketplace/claims/well-known.ts';
import type { marketplaceWing } from '#marketplace/contract.ts';
import { builtInSkillsOf } from '#marketplace/documents/built-in-skills.ts';
import type { MarketplaceDeps, PublishingLimits } from '#marketplace/listings/deps.ts';
import { openPublishedCache } from '#marketplace/listings/published-cache.ts';
import { publish } from '#marketplace/publishing/publish-version.ts';
import { marketplaceRoutes } from '#marketplace/routes.ts';
import { openRigs } from '#runtime/runs/rig/open-rigs.ts';
import type { ShelfSkill } from '#runtime/skills/load-skills.ts';
import { indexBeside } from './capability-index.ts';
import type { TestDatabase } from './databases.ts';
import { exampleItem } from './example-items.ts';
import { ROOMY } from './storage.ts';
import { callerOf } from './tool-calls.ts';
import { ethereumWallet, type TestWallet } from './wallet-keys.ts';

/** The marketplace on a database, and people who publish. */

/** `claims.verify` */
type MarketplaceOperation = {
  [Name in keyof typeof marketplaceWing]: `${Name}.${Extract<keyof (typeof marketplaceWing)[Name], string>}`;
}[keyof typeof marketplaceWing];

export const skillMd = (name: string, more = ''): string =>
  [
    `---\nname: ${name}\ndescription: Count the words of a text. Use it before a text goes where length matters.\n---\n`,
    `# Count\n\nSplit the text at white space and count.${more}\n`,
  ].join('\n');

const RUN =
  "import { readFileSync } from 'node:fs';\nconst { text } = JSON.parse(readFileSync(0, 'utf8'));\n" +
  'console.log(text.split(/\\s+/).length);\n';

/** A skill that runs: it answers how many words there are. */
export const skillFiles = (name: string, more = '') => [
  { path: 'SKILL.md', content: skillMd(name, more) },
  { path: 'scripts/run.mjs', content: RUN },
];

export interface Person {
  id: string;
  wallet: TestWallet;
  is_operator: boolean;
}

/** What is well known where nothing else is said. */
const KNOWN: Partial<Item>[] = [
  { name: 'Playwright MCP', author: 'Microwave', external_id: 'microwave/playwright-mcp', downloads: 900_000 },
];

const CARRIED = [
  {
    name: 'json-diff',
    description: 'Compare two JSON values.',
    version: '1.0.0',
    license: 'MIT',
    execution_class: 'scripted',
  },
] as const;

/** Reaches the fakes of tests and nothing else. */
const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
type AnyBody = any;

export interface Answer {
  status: number;
  body: AnyBody;
  headers: Record<string, string>;
}

export function publishingStand(
  { db, engine, config }: TestDatabase,
  more: Partial<PublishingLimits> = {},
  own: readonly ShelfSkill[] = [],
) {
  const clock = { ms: systemClock.now(), now: () => clock.ms };
  const items = KNOWN.map((changes) => exampleItem(900_000, changes));
  const catalog = { isReady: true, version: '1', items: () => ({ total_count: items.length, items }) };
  const skills = { skills: [{ name: 'json-diff' }], get: () => undefined };
  const deps: MarketplaceDeps = {
    db,
    engine,
    clock,
    base_url: 'https://capstan.example',
    has_model: false,
    published_cache: openPublishedCache({ db, clock }),
    storage: ROOMY,
    countUnlinked: unlinkedCounter({ connection: connectionOver(db, engine), clock }),
    connection: connectionOver(db, engine),
    index: indexBeside({ config, clock, skills: builtInSkillsOf(own) }),
    skills: { skills: own },
    runnable: async () => withoutProbe(null, ''),
    rigs: openRigs({ db, clock } as never),
    fetch: outbound.fetch,
    raw_hosts: { github: more.github_raw_url ?? '', gitlab: more.gitlab_url ?? '' },
    repository_hosts: { github: more.github_raw_url ?? '', gitlab: more.gitlab_url ?? '' },
    carried: async () => CARRIED,
    wallets: createWallets({ config: { ethereum_rpc_url: null } }),
    well_known: wellKnown({ catalog, skills } as never),
    limits: {
      listings_per_user: 20,
      versions_per_day: 20,
      bytes_per_user: 100_000,
      reports_per_day: 20,
      report_retention_ms: 1e9,
      github_raw_url: null,
      gitlab_url: null,
      trusted_issuers: [],
      ...more,
    },
  };
  const routes = marketplaceRoutes(deps);
  const orderOf = ({ name, ...rest }: { name: string } & Record<string, unknown>) => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    files: skillFiles(name.slice(name.indexOf('/') + 1)),
    ...rest,
  });
  /** The handler's answer, or its refusal as a client gets it. */
  const ask = async (as: Person | null, operation: MarketplaceOperation, entry: object): Promise<Answer> => {
    const caller = as === null ? null : { ...callerOf(as.id), is_operator: as.is_operator };
    const input = { params: {}, query: {}, raw_path: '/', headers: {}, ...entry, caller };
    try {
      const [resource, verb] = operation.split('.') as [keyof typeof routes, string];
      const reply: Reply = await ((routes[resource] as object as Record<string, Handler>)[verb] as Handler)(
        input as never,
      );
      const text = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body as Uint8Array).toString('utf8');
      const body = reply.media_type.startsWith('application/json') ? JSON.parse(text) : text;
      return { status: reply.status ?? 200, body, headers: reply.headers ?? {} };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, code, message: detail, errors, extensions, headers } = error;
      return { status, body: { code, detail, errors, ...extensions }, headers };
    }
  };
  return {
    db,
    deps,
    clock,
    ask,
    orderOf,
    newPerson: async (is_operator = false): Promise<Person> => {
      const now = isoTime(clock.now());
      const { id } = await createUser(db, 'Ana', now);
      const wallet = ethereumWallet();
      await addWallet(db, { wallet_type: 'ethereum', address: wallet.address, user_id: id, linked_at: now });
      return { id, wallet, is_operator };
    },
    publish: (as: Person, order: { name: string } & Record<string, unknown>) =>
      ask(as, 'publishing.publish', { body: orderOf(order) }),
    /** Answers its id. */
    published: async (as: Person, order: { name: string } & Record<string, unknown>): Promise<string> =>
      (await publish(deps, { user_id: as.id, is_operator: as.is_operator }, orderOf(order))).id as string,
  };
}

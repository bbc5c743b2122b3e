import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import glama from '#catalog/providers/glama/fixture.json' with { type: 'json' };
import mcpRegistry from '#catalog/providers/mcp-registry/fixture.json' with { type: 'json' };
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import { openDatabase } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import { type Capstan, createCapstan } from '../../sdk/src/index.ts';
import { type FakeLlm, startLlm } from '../fakes/llm.ts';
import { type OAuthFake, startOAuthFake } from '../fakes/mcp-oauth.ts';
import { type McpFake, startMcpFake, textResult } from '../fakes/mcp-server.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../fakes/openid-provider.ts';
import type { FakeProvider } from '../fakes/providers/fake-server.ts';
import { startGlamaFake } from '../fakes/providers/glama.ts';
import { startMcpRegistryFake } from '../fakes/providers/mcp-registry.ts';
import { freshDir } from '../process/capstand.ts';
import { until } from '../until.ts';
import { PUBLIC_URL, SECRET_KEY } from './people.ts';
import { type Program, startProgram } from './program.ts';
import { type Row, rowsOf } from './stored-database.ts';

/** A program of some version on an empty database, and real servers around it that it can meet. */
export interface Filling {
  program: Program;
  database: Database;
  mcp: McpFake;
  oauth: OAuthFake;
  google: OpenIdProvider;
  registry: FakeProvider<unknown[]>;
  /** What it began with. */
  records: unknown[];
  /** A client that nobody has signed in with. */
  client(signer?: Signer): Capstan;
  /** The secret of the newest mail to this address. */
  mailed(to: string): Promise<string>;
  /** Resolves when the table has a row, or one that is fit. Throws after half a minute. */
  until(table: string, isFit?: (row: Row) => boolean): Promise<void>;
  close(): Promise<void>;
}

type Signer = NonNullable<Parameters<typeof createCapstan>[0]['signer']>;

export async function openFilling(dir: string, config: DatabaseConfig): Promise<Filling> {
  const dataDir = config.engine === 'sqlite' ? join(config.path, '..') : await freshDir();
  const mcp = await startMcpFake([
    { name: 'tide_at', description: 'Height of the tide.', call: () => textResult('3') },
  ]);
  const oauth = await startOAuthFake();
  const google = await startOpenIdProvider(`${PUBLIC_URL}/api/auth/google/callback`);
  google.accounts = { gus: { email: 'gus@example.org', email_verified: true, name: 'Gus' } };
  const llm: FakeLlm = await startLlm();
  const records = [...mcpRegistry, serverRecord('tide-tables', mcp.url), serverRecord('currents', mcp.url)];
  const registry = await startMcpRegistryFake({ records });
  const listed = await startGlamaFake({ records: glama });
  const program = await startProgram(dir, {
    DATA_DIR: dataDir,
    PORT: new URL(PUBLIC_URL).port,
    PUBLIC_URL,
    CAPSTAN_SECRET_KEY: SECRET_KEY,
    ...defined({ DATABASE_URL: config.engine === 'postgres' ? config.url : undefined }),
    CAPSTAN_PROVIDERS: 'mcp-registry,glama',
    CAPSTAN_PROBE: 'on',
    CAPSTAN_VERIFY: 'on',
    CAPSTAN_PROVIDER_MCP_REGISTRY_URL: registry.url,
    CAPSTAN_PROVIDER_GLAMA_URL: listed.url,
    CAPSTAN_GOOGLE_CLIENT_ID: google.client_id,
    CAPSTAN_GOOGLE_CLIENT_SECRET: google.client_secret,
    CAPSTAN_GOOGLE_ISSUER: google.url,
    CAPSTAN_VERIFY_PER_HOUR: '60',
    CAPSTAN_LLM_URL: llm.url,
    CAPSTAN_LLM_MODELS: 'fake-1',
  });
  const database = await openDatabase(config);
  const outbox = join(dataDir, 'outbox');
  return {
    program,
    database,
    mcp,
    oauth,
    google,
    registry,
    records,
    client: (signer) => createCapstan({ base_url: PUBLIC_URL, signer, fetch: withFewKeys }),
    mailed: (to) => until(`an email to ${to}`, () => newestMail(outbox, to)),
    until: async (table, isFit = () => true) =>
      void (await until(`a row of ${table}`, async () => (await rowsOf(database, table)).some(isFit))),
    close: async () => {
      await program.stop();
      await database.close();
      for (const fake of [mcp, oauth, google, llm, registry, listed]) await fake.close();
    },
  };
}

/** Each key keeps a sealed answer, which packs badly: those of tasks are enough. */
const withFewKeys: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  if (!`${url}`.includes('/api/agents/tasks')) headers.delete('idempotency-key');
  return fetch(url, { ...init, headers });
};

async function newestMail(outbox: string, to: string): Promise<string | null> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  for (const name of names.reverse()) {
    const text = await readFile(join(outbox, name), 'utf8');
    const secret = /#\w+=(\S+)/.exec(text)?.[1];
    if (text.includes(`To: ${to}\r\n`) && secret !== undefined) return secret;
  }
  return null;
}

/** A record of the registry whose server is there. */
const serverRecord = (name: string, url: string) => ({
  server: {
    name: `io.github.harbour-example/${name}`,
    version: '1.0.0',
    description: 'High and low water for a harbour',
    repository: { url: `https://github.com/harbour-example/${name}`, source: 'github' },
    remotes: [{ type: 'streamable-http', url }],
  },
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      isLatest: true,
      publishedAt: '2026-01-02T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
    },
  },
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '#accounts/users/users.ts';
import { insertConnection } from '#connections/connections/connections.ts';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import type { McpSession } from '#core/mcp/session.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { newSecretKeys } from '../auth-stand.ts';
import { openOAuthCalls } from '../oauth-calls.ts';
import { newConnection } from '../vault-stand.ts';

/**
 * The client under test, as the conformance suite of MCP runs it: one connection of ours to the server whose address is
 * the argument, over the same session and the same sign-in that the service uses. Only the person at the browser is
 * played: they agree to everything at once.
 */

interface Context {
  name?: string;
  issuer?: string;
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
}

const url = process.argv[2] ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

/** What a user would do with the server's tools. */
async function work(session: McpSession): Promise<void> {
  const { tools } = await session.listTools();
  const calls =
    context.toolCalls ??
    tools.map(({ name, inputSchema: { properties = {} } }) => ({
      name,
      // One tool wants to see another one's schema as it came.
      arguments: {
        ...exampleOf(properties),
        ...defined({ schema: 'schema' in properties ? tools[0]?.inputSchema : undefined }),
      },
    }));
  for (const { name, arguments: input } of calls) {
    const tool = tools.find((tool) => tool.name === name);
    if (tool !== undefined) await session.callTool({ tool, arguments: input });
  }
}

function exampleOf(properties: object): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    EXAMPLES[(schema as { type?: string }).type ?? ''],
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const EXAMPLES: Record<string, unknown> = { string: 'text', number: 5, integer: 3, boolean: true };

/** Agrees, and leaves every field to its default. */
const elicit: RemoteTarget['elicit'] = async (asked) => {
  const { properties = {}, required = [] } = Object((asked as { requestedSchema?: unknown }).requestedSchema);
  const content = Object.fromEntries((required as string[]).map((name) => [name, exampleOf(properties)[name]]));
  return { action: 'accept' as const, content: content as Record<string, string | number | boolean> };
};

const MOST_SIGN_INS = 3;

async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-conformance-'));
  const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'own' });
  await migrate(database);
  const { issuer = '', client_id, client_secret } = context;
  const given =
    client_id === undefined
      ? []
      : [
          {
            issuer,
            client_id,
            ...defined({ client_secret }),
            servers: [new URL(url).origin],
          },
        ];
  const calls = openOAuthCalls({
    database,
    keys: await newSecretKeys(),
    oauth_clients: given,
    base_url: scenario === 'auth/basic-cimd' ? 'https://conformance-test.local' : 'http://127.0.0.1:8080',
  });
  try {
    const user = await createUser(database.db, 'Ada', isoTime(systemClock.now()));
    let connection = newConnection(user.id, { url });
    await insertConnection(database.db, connection);
    for (let signIns = 0; ; signIns++) {
      const outcome = await calls.use(connection, { work, elicit });
      if (outcome === 'done') return;
      if (signIns === MOST_SIGN_INS) throw new Error('the server is never content with a sign-in');
      connection = await calls.signIn(connection);
    }
  } finally {
    await calls.close();
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}

await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});

import type { Command } from 'commander';
import type { Connection } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { cut, facts, safe, table } from '../output.ts';
import { readAll, readInput } from '../read-input.ts';
import { refOf } from '../ref.ts';
import type { World } from '../world.ts';

export function addConnections(program: Command, world: World): void {
  const connections = program
    .command('connections')
    .summary('your connections to MCP servers: add, sign in, tools, call')
    .description('Your connections to MCP servers.');
  connections
    .command('list', { isDefault: true })
    .description('The newest first.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      context.show(await capstan.sessions.listConnections(), ({ items }) =>
        table(items.map((it) => [it.id, it.status, it.name, it.url])),
      );
    });
  connections
    .command('add')
    .description('Connect to a listed server, or to an address.')
    .argument('<ref or url>')
    .option('--name <name>', 'what you call it')
    .option(
      '--var <name=value>',
      'a value that its address asks for; may be repeated',
      (it, all: string[]) => [...all, it],
      [],
    )
    .action(async (text: string, asked: { name?: string; var: string[] }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const variables = asked.var.length === 0 ? {} : { variables: pairs(asked.var) };
      const name = asked.name === undefined ? {} : { name: asked.name };
      const body = { ...serverOf(text), ...name, ...variables };
      context.show(await capstan.sessions.createConnection({ body }), connectionText);
    });
  connections
    .command('show')
    .argument('<id>')
    .description('One connection, and why it is not ready.')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      context.show(await (await context.open()).capstan.sessions.getConnection({ id }), connectionText);
    });
  connections
    .command('remove')
    .argument('<id>')
    .description('Delete it; what it was let in with is given back.')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      context.show(await (await context.open()).capstan.sessions.deleteConnection({ id }), () => 'deleted');
    });
  addAccess(connections, world);
  addTools(connections, world);
}

/** What lets the service in there. */
function addAccess(connections: Command, world: World): void {
  connections
    .command('sign-in')
    .argument('<id>')
    .description('Sign in to the server by the browser; also where a sign-in has run out.')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const started = await capstan.sessions.startOauth({ id, body: {} });
      const opened = context.isAsking && (await world.openBrowser(started.authorization_url));
      context.say(opened ? 'Sign in in the browser.' : 'Open this address to sign in.');
      context.show(started, ({ authorization_url }) => authorization_url);
    });
  connections
    .command('credential')
    .argument('<id>')
    .description('Store a secret that the server asks for, read from stdin. Your wallet signs (--wallet-key).')
    .option('--header <name>', 'as this header; a bearer token where left out')
    .action(async (id: string, { header }: { header?: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const secret = context.isAsking ? await context.ask('The secret', 'stdin') : (await readAll(world)).trim();
      if (secret === '')
        throw usage('No secret was read from stdin.', 'Pipe it in: capstan connections credential <id> < secret.txt');
      const body =
        header === undefined
          ? { type: 'bearer' as const, token: secret }
          : { type: 'header' as const, headers: { [header]: secret } };
      context.show(await capstan.sessions.storeCredentials({ id, body }), ({ status }) => status);
    });
}

function addTools(connections: Command, world: World): void {
  connections
    .command('tools')
    .argument('<id>')
    .description('The tools of the server.')
    .option('--refresh', 'ask the server anew')
    .action(async (id: string, { refresh }: { refresh?: boolean }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      context.show(await capstan.sessions.listTools({ id, refresh: refresh === true }), ({ items }) =>
        table(
          items.map(({ name, state, description }) => [
            name,
            state === 'changed' ? 'changed' : '',
            cut(description, 80),
          ]),
        ),
      );
    });
  connections
    .command('call')
    .argument('<id>')
    .argument('<tool>')
    .option('-i, --input <json>', 'its arguments: JSON, @file, or - for stdin')
    .description('Call a tool. What it answers goes to stdout.')
    .action(async (id: string, tool: string, asked: { input?: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const given = (await readInput(world, asked.input)) ?? {};
      const answer = await capstan.sessions.callTool({
        id,
        body: { tool, arguments: given as Record<string, unknown> },
      });
      context.show(answer, ({ content }) => content.map(contentText).join('\n'));
      context.say(facts([['trace', answer.trace_id]]));
      if (answer.is_error) throw new Failure('tool.failed', `${tool} says that it failed.`, { exit_code: EXIT.error });
    });
}

const contentText = (it: Record<string, unknown>): string =>
  typeof it.text === 'string' ? safe(it.text) : JSON.stringify(it);

function serverOf(text: string) {
  if (/^https?:\/\//.test(text)) return { url: text };
  const ref = refOf(text);
  if (ref.kind === 'listing') return { listing: { provider: ref.provider, external_id: ref.id } };
  throw usage(`${text} names no server.`, 'Give an address, or <provider>/<id>.');
}

const pairs = (given: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    given.map((it) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(it) ?? [];
      if (name === undefined) throw usage(`${it} is no name=value.`);
      return [name, value as string];
    }),
  );

const connectionText = (it: Connection): string =>
  [
    facts([
      ...([
        ['connection', it.id],
        ['name', it.name],
        ['status', it.status],
        ['address', it.url],
      ] as const),
      ['error', it.last_error === null ? '' : `${it.last_error.detail} (${it.last_error.code})`],
      ['wants', it.auth.required.map(({ name }) => name).join(', ')],
    ]),
    ...(it.status === 'auth_required'
      ? [
          it.auth.oauth === true
            ? `next  capstan connections sign-in ${it.id}`
            : `next  capstan connections credential ${it.id}`,
        ]
      : []),
  ].join('\n');

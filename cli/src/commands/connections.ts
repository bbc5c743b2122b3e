import type { Connection } from '../../../sdk/src/index.ts';
import { command, group, type Service } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { openLanding } from '../login/landing.ts';
import { cut, facts, safe, table } from '../output.ts';
import { readAll, readInput } from '../read-input.ts';
import { refOf } from '../ref.ts';

const connectionText = (connection: Connection): string =>
  [
    facts({
      connection: connection.id,
      name: connection.name,
      status: connection.status,
      address: connection.url,
      error: connection.last_error && `${connection.last_error.detail} (${connection.last_error.code})`,
      wants: connection.auth.required.map(({ name }) => name).join(', '),
    }),
    ...(connection.status === 'auth_required'
      ? [`next  capstan connections ${connection.auth.oauth === true ? 'sign-in' : 'credential'} ${connection.id}`]
      : []),
  ].join('\n');

const manage = [
  command('list', {
    about: 'List connections, newest first.',
    isDefault: true,
    call: ({ capstan }) => capstan.connections.list(),
    text: ({ items }) =>
      table(items.map((connection) => [connection.id, connection.status, connection.name, connection.url])),
  }),
  command('add <server>', {
    about: 'Connect to a listed server or a URL.',
    args: { server: 'provider/id or URL' },
    options: {
      '--name <name>': 'name of the connection',
      '--var <name=value>': { about: 'URL variable; repeatable', many: true },
    },
    call: ({ capstan }, asked) => {
      const variables = asked.var.length === 0 ? undefined : pairs(asked.var);
      return capstan.connections.create({
        body: { ...serverOf(asked.server), name: asked.name, variables },
      });
    },
    text: connectionText,
  }),
  command('show <id>', {
    about: 'Show a connection and its status.',
    call: ({ capstan }, { id }) => capstan.connections.get({ id }),
    text: connectionText,
  }),
  command('remove <id>', {
    about: 'Delete the connection and revoke its tokens.',
    call: ({ capstan }, { id }) => capstan.connections.delete({ id }),
    text: () => 'deleted',
  }),
];

/** What comes back arrives on loopback here, and is completed with this user's token. */
async function signIn({ capstan, world, isAsking, during, say }: Service, id: string): Promise<Connection> {
  const again = { fix: `Run capstan connections sign-in ${id} again.` };
  const landing = await openLanding(world, again);
  try {
    const started = await capstan.authorization.start({ id, body: { return_to: landing.url } });
    const { authorization_url, server, issuer, scopes } = started;
    say(
      `${server} receives a token from ${issuer}, ` +
        `${scopes.length === 0 ? 'with its default scopes' : `for ${scopes.join(' ')}`}.`,
    );
    const landed = landing.answer(new URL(authorization_url).searchParams.get('state') ?? '');
    const opened = isAsking && (await world.openBrowser(authorization_url));
    // Written even with --quiet: without the address nobody could sign in.
    const words = opened ? 'Continue in the browser; if it did not open' : 'Open this URL to sign in';
    world.stderr.write(safe(`${words}: ${authorization_url}\n`));
    const answer = await during('waiting for the sign-in', () => landed);
    const [state = '', code, iss, error] = ['state', 'code', 'iss', 'error'].map(
      (name) => answer.get(name) ?? undefined,
    );
    return await capstan.authorization.complete({ id, body: { state, code, iss, error } });
  } finally {
    landing.close();
  }
}

/** What lets the service in there. */
const access = [
  command('sign-in <id>', {
    about: 'Authorize the connection in the browser, also to renew an expired authorization.',
    call: (service, { id }) => signIn(service, id),
    text: connectionText,
  }),
  command('credential <id>', {
    about: 'Store a credential for the server, read from stdin. Requires a wallet signature (--wallet-key).',
    options: { '--header <name>': 'header to send it in; default: a bearer token' },
    async call({ capstan, world, isAsking, ask }, { id, header }) {
      const secret = isAsking ? await ask('Secret', 'stdin') : (await readAll(world)).trim();
      if (secret === '')
        throw usage('stdin contains no secret.', 'Pipe it in: capstan connections credential <id> < secret.txt');
      return capstan.credentials.store({
        id,
        body:
          header === undefined ? { type: 'bearer', token: secret } : { type: 'header', headers: { [header]: secret } },
      });
    },
    text: ({ status }) => status,
  }),
];

const tools = [
  command('tools <id>', {
    about: 'List the tools of the server.',
    options: { '--refresh': 'refresh the list from the server' },
    call: ({ capstan }, { id, refresh }) => capstan.tools.list({ id, refresh }),
    text: ({ items }) =>
      table(
        items.map((item) => [
          item.name,
          item.state === 'changed' || item.state === 'added' ? item.state : '',
          cut(item.description, 80),
        ]),
      ),
  }),
  command('call <id> <tool>', {
    about: 'Call a tool. Its result goes to stdout.',
    options: { '-i, --input <json>': 'arguments as JSON, @file, or - for stdin' },
    async call({ capstan, world, during }, { id, tool, input }) {
      const called = { tool, arguments: ((await readInput(world, input)) ?? {}) as Record<string, unknown> };
      return during(`calling ${tool}`, () => capstan.tools.call({ id, body: called }));
    },
    text: ({ content }) => content.map(contentText).join('\n'),
    after({ say }, { trace_id, is_error }, { tool }) {
      say(facts({ trace: trace_id }));
      if (is_error)
        throw new Failure('tool.failed', `${tool} returned an error.`, {
          fix: `See its output and capstan trace ${trace_id}`,
        });
    },
  }),
];

const contentText = (entry: Record<string, unknown>): string =>
  typeof entry.text === 'string' ? safe(entry.text) : JSON.stringify(entry);

function serverOf(text: string) {
  if (/^https?:\/\//.test(text)) return { url: text };
  const ref = refOf(text);
  if (ref.kind === 'listing') return { listing: { provider: ref.provider, external_id: ref.id } };
  throw usage(`Invalid server: ${text}.`, 'Use a URL or <provider>/<id>.');
}

const pairs = (all: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    all.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined)
        throw usage(`Invalid variable: ${text}. Expected name=value.`, 'For example: --var region=eu.');
      return [name, value as string];
    }),
  );

export const connections = group(
  'connections',
  {
    summary: 'manage connections to MCP servers: add, sign in, tools, call',
    about: 'Manage connections to MCP servers.',
  },
  [...manage, ...access, ...tools],
);

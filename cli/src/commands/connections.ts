import type { Connection } from '../../../sdk/src/index.ts';
import { command, group, type Service } from '../command.ts';
import { Failure, usage } from '../failure.ts';
import { openLanding } from '../login/landing.ts';
import { cut, facts, safe, table } from '../output.ts';
import { readAll, readInput } from '../read-input.ts';
import { refOf } from '../ref.ts';

const connectionText = (it: Connection): string =>
  [
    facts({
      connection: it.id,
      name: it.name,
      status: it.status,
      address: it.url,
      error: it.last_error && `${it.last_error.detail} (${it.last_error.code})`,
      wants: it.auth.required.map(({ name }) => name).join(', '),
    }),
    ...(it.status === 'auth_required'
      ? [`next  capstan connections ${it.auth.oauth === true ? 'sign-in' : 'credential'} ${it.id}`]
      : []),
  ].join('\n');

const manage = [
  command('list', {
    about: 'The newest first.',
    isDefault: true,
    call: ({ capstan }) => capstan.connections.list(),
    text: ({ items }) => table(items.map((it) => [it.id, it.status, it.name, it.url])),
  }),
  command('add <server>', {
    about: 'Connect to a listed server, or to an address.',
    args: { server: 'provider/id, or an address' },
    options: {
      '--name <name>': 'what you call it',
      '--var <name=value>': { about: 'a value that its address asks for; may be repeated', many: true },
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
    about: 'One connection, and why it is not ready.',
    call: ({ capstan }, { id }) => capstan.connections.get({ id }),
    text: connectionText,
  }),
  command('remove <id>', {
    about: 'Delete it; what it was let in with is given back.',
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
      `${server} gets a token from ${issuer}, ${scopes.length === 0 ? 'with the scopes that it decides' : `for ${scopes.join(' ')}`}.`,
    );
    const landed = landing.answer(new URL(authorization_url).searchParams.get('state') ?? '');
    const opened = isAsking && (await world.openBrowser(authorization_url));
    // Written even with --quiet: without the address nobody could sign in.
    const words = opened ? 'Sign in in the browser; if none opened' : 'Open this address to sign in';
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
    about: 'Sign in to the server in the browser; also where a sign-in has run out.',
    call: (service, { id }) => signIn(service, id),
    text: connectionText,
  }),
  command('credential <id>', {
    about: 'Store a secret that the server asks for, read from stdin. Your wallet signs (--wallet-key).',
    options: { '--header <name>': 'as this header; a bearer token where left out' },
    async call({ capstan, world, isAsking, ask }, { id, header }) {
      const secret = isAsking ? await ask('The secret', 'stdin') : (await readAll(world)).trim();
      if (secret === '')
        throw usage('No secret was read from stdin.', 'Pipe it in: capstan connections credential <id> < secret.txt');
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
    about: 'The tools of the server.',
    options: { '--refresh': 'ask the server anew' },
    call: ({ capstan }, { id, refresh }) => capstan.tools.list({ id, refresh }),
    text: ({ items }) =>
      table(
        items.map((it) => [
          it.name,
          it.state === 'changed' || it.state === 'added' ? it.state : '',
          cut(it.description, 80),
        ]),
      ),
  }),
  command('call <id> <tool>', {
    about: 'Call a tool. What it answers goes to stdout.',
    options: { '-i, --input <json>': 'its arguments: JSON, @file, or - for stdin' },
    async call({ capstan, world, during }, { id, tool, input }) {
      const called = { tool, arguments: ((await readInput(world, input)) ?? {}) as Record<string, unknown> };
      return during(`calling ${tool}`, () => capstan.tools.call({ id, body: called }));
    },
    text: ({ content }) => content.map(contentText).join('\n'),
    after({ say }, { trace_id, is_error }, { tool }) {
      say(facts({ trace: trace_id }));
      if (is_error)
        throw new Failure('tool.failed', `${tool} says that it failed.`, {
          fix: `Its answer says why; capstan trace ${trace_id}`,
        });
    },
  }),
];

const contentText = (it: Record<string, unknown>): string =>
  typeof it.text === 'string' ? safe(it.text) : JSON.stringify(it);

function serverOf(text: string) {
  if (/^https?:\/\//.test(text)) return { url: text };
  const ref = refOf(text);
  if (ref.kind === 'listing') return { listing: { provider: ref.provider, external_id: ref.id } };
  throw usage(`${text} names no server.`, 'Give an address, or <provider>/<id>.');
}

const pairs = (all: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    all.map((it) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(it) ?? [];
      if (name === undefined) throw usage(`${it} is no name=value.`, 'Such as --var region=eu.');
      return [name, value as string];
    }),
  );

export const connections = group(
  'connections',
  { summary: 'your connections to MCP servers: add, sign in, tools, call', about: 'Your connections to MCP servers.' },
  [...manage, ...access, ...tools],
);

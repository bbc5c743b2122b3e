import type { Connection } from '../../../sdk/src/index.ts';
import { addConnection, EVENTS, lastOf } from '../add-connection.ts';
import { callTool } from '../call-tool.ts';
import { command, group, localCommand, type Service } from '../command.ts';
import { Failure, onlyLocal, usage } from '../failure.ts';
import type { LocalConnection } from '../local/connect.ts';
import { openLanding } from '../login/landing.ts';
import { cut, facts, safe, table } from '../output.ts';
import { readAll, readInput } from '../read-input.ts';
import { SHARE_OPTION, secretPairs, VALUE_OPTIONS } from '../values.ts';
import { stepsText } from './install.ts';

const connectionText = (connection: Connection): string =>
  [
    facts({
      connection: connection.id,
      name: connection.name,
      status: connection.status,
      address: connection.url,
      account: connection.auth.account,
      package: connection.package?.purl,
      isolation: connection.package?.isolation,
      hosts: connection.package?.hosts.join(', '),
      error: connection.last_error && `${connection.last_error.detail} (${connection.last_error.code})`,
      required: connection.auth.required.map(({ name }) => name).join(', '),
    }),
    ...(connection.status === 'auth_required'
      ? [
          `next  capstan connections ${connection.auth.oauth === true ? 'sign-in' : 'credential'} ${connection.id}${secretFlags(connection)}`,
        ]
      : []),
  ].join('\n');

/** Options for the secrets that the package requires and that are not stored. */
const secretFlags = ({ package: ran, auth }: Connection): string =>
  ran === null
    ? ''
    : auth.required
        .filter(({ name, secret }) => secret && !auth.stored.includes(name))
        .map(({ name }) => ` --secret ${name}=@file`)
        .join('');

/** Suggests granting the requested hosts, because a refused host is often why a server does not work. */
function adviseHosts({ say, url }: Service, { id, package: ran }: Connection): void {
  const wanted = (ran?.wanted_hosts ?? []).filter((host) => !ran?.hosts.includes(host));
  if (ran == null || wanted.length === 0) return;
  say(
    `The server tried to reach ${wanted.join(', ')}. To allow it: capstan connections hosts ${id} ${[...ran.hosts, ...wanted].join(' ')} ` +
      `--wallet-key <file>, or open ${url}/dashboard/connections/${encodeURIComponent(id)}`,
  );
}

const manage = [
  command('list', {
    about: 'List connections, newest first.',
    isDefault: true,
    call: ({ capstan }) => capstan.connections.list(),
    empty: 'No connections. Find a server with capstan search, then: capstan connect <server>',
    text: ({ items }) =>
      table(
        items.map(({ id, status, name, url, auth }) => [
          id,
          status,
          auth.account === null ? name : `${name} (${auth.account})`,
          url,
        ]),
      ),
  }),
  command('add <server>', {
    about:
      'Connect to a listed server or a URL. If the server has no URL, the service runs its package in a box. ' +
      'The first start shows its steps, and Ctrl-C cancels it. Secrets require a wallet signature (--wallet-key).',
    args: { server: 'URL, or any name from a list, search or page' },
    options: { '--name <name>': 'name of the connection', ...VALUE_OPTIONS },
    call: (service, asked) => addConnection(service, asked),
    text: connectionText,
    after: adviseHosts,
  }),
  command('show <id>', {
    about: 'Show a connection and its status.',
    call: ({ capstan }, { id }) => capstan.connections.get({ id }),
    text: connectionText,
  }),
  command('rename <id> <name>', {
    about: 'Rename a connection, for example to tell two accounts at one server apart.',
    args: { name: 'unique among your connections' },
    call: ({ capstan }, { id, name }) => capstan.connections.update({ id, body: { name } }),
    text: connectionText,
  }),
  command('remove <id>', {
    about: 'Delete the connection and revoke its tokens.',
    call: ({ capstan }, { id }) => capstan.connections.delete({ id }),
    text: () => 'deleted',
  }),
];

/** The redirect arrives on loopback and is completed with this user's token. */
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
    // Printed even with --quiet: without the address the user could not sign in.
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

/** Commands for authorization, credentials and allowed hosts. */
const access = [
  command('hosts <id> [host...]', {
    about:
      'Replace the hosts that the package of the connection may reach, and start it once. Without arguments, no host is allowed. ' +
      'Requires a wallet signature (--wallet-key), whose text names the hosts.',
    call: (service, { id, host }) => {
      const { signal } = service.world;
      const events = service.capstan.hosts.replace({ id, body: { hosts: host } }, { accept: EVENTS, signal });
      return lastOf(service, 'starting the server', events);
    },
    text: connectionText,
    after: adviseHosts,
  }),
  command('sign-in <id>', {
    about:
      'Authorize the connection in the browser, or renew an expired authorization. With --link, print a link that works in any ' +
      'browser that is signed in as you, such as on another machine.',
    options: { '--link': 'print a link instead of opening a browser on this machine' },
    async call(service, { id, link }) {
      if (!link) return signIn(service, id);
      const connection = await service.capstan.connections.get({ id });
      return { ...connection, sign_in_url: `${service.url}/dashboard/connections/${encodeURIComponent(id)}#sign-in` };
    },
    text: (connection) => ('sign_in_url' in connection ? connection.sign_in_url : connectionText(connection)),
  }),
  command('credential <id>', {
    about:
      'Store a credential for the server, read from stdin. With --secret, store values for its package or URL instead. ' +
      'Requires a wallet signature (--wallet-key).',
    options: {
      '--header <name>': 'header to send it in; default: a bearer token',
      '--secret <name=@file>': VALUE_OPTIONS['--secret <name=@file>'],
    },
    async call(service, { id, header, secret: named }) {
      const { capstan } = service;
      if (named.length > 0) {
        if (header !== undefined) throw usage('--header and --secret cannot be used together.', 'Remove one of them.');
        const variables = await secretPairs(service, named);
        return capstan.credentials.store({ id, body: { type: 'variables', variables } });
      }
      const secret = await secretOf(service);
      return capstan.credentials.store({
        id,
        body:
          header === undefined ? { type: 'bearer', token: secret } : { type: 'header', headers: { [header]: secret } },
      });
    },
    text: ({ status }) => status,
  }),
];

async function secretOf({ world, isAsking, askSecret }: Service): Promise<string> {
  const secret = isAsking ? await askSecret('Secret', 'stdin') : (await readAll(world)).trim();
  if (secret !== '') return secret;
  throw usage('stdin contains no secret.', 'Pipe it in: capstan connections credential <id> < secret.txt');
}

const tools = [
  command('tools <id>', {
    about: 'List the tools of the server.',
    options: { '--refresh': 'refresh the list from the server' },
    call: ({ capstan }, { id, refresh }) => capstan.tools.list({ id, refresh }),
    empty: 'The server offers no tools.',
    text: ({ items, gone, left_out }) =>
      [
        table(
          items.map((item) => [
            item.name,
            item.state === 'changed' || item.state === 'added' ? `${item.state}, waits` : '',
            cut(
              item.renamed_from === undefined ? item.description : `Was ${item.renamed_from}. ${item.description}`,
              80,
            ),
          ]),
        ),
        ...gone.map((name) => `removed by the server: ${safe(name)}`),
        ...left_out.tools.map(
          ({ name, reason }) => `left out, because its definition is invalid: ${safe(name)} (${safe(reason)})`,
        ),
      ].join('\n'),
    after({ say }, { waiting, gone, set_hash }, { id }) {
      if (waiting + gone.length > 0)
        say(`To accept all of these changes: capstan connections accept ${id} ${set_hash}`);
    },
  }),
  command('accept <id> <set_hash>', {
    about: 'Accept all tools as `connections tools` showed them: added, changed, renamed and removed ones.',
    args: { set_hash: 'hash from `capstan connections tools`; nothing is accepted if the tools changed since' },
    call: ({ capstan }, { id, set_hash }) => capstan.tools.acceptAll({ id, body: { set_hash } }),
    text: ({ accepted, removed, renamed }) =>
      facts({
        accepted: accepted.join(', ') || 'none',
        removed: removed.join(', '),
        renamed: renamed.map(({ from, to }) => `${from} to ${to}`).join(', '),
      }),
  }),
  command('call <id> <tool>', {
    about: 'Call a tool. Its result goes to stdout. Questions of the server are asked at the terminal.',
    options: { '-i, --input <json>': 'arguments as JSON, @file, or - for stdin' },
    async call(service, { id, tool, input }) {
      const called = { tool, arguments: ((await readInput(service.world, input)) ?? {}) as Record<string, unknown> };
      return callTool(service, id, called);
    },
    text: ({ content }) => content.map(contentText).join('\n'),
    after({ say }, { trace_id, receipt_id, is_error, questions }, { tool }) {
      for (const { message, reason } of questions)
        if (reason !== null)
          say(`The server asked: ${safe(message)}. ${safe(reason)} In a terminal, you are asked here.`);
      say(facts({ trace: trace_id, receipt: receipt_id }));
      if (is_error)
        throw new Failure('tool.failed', `${tool} returned an error.`, {
          fix: `See the output above, or run capstan trace ${trace_id}`,
        });
    },
  }),
];

const content = [
  command('resources <id>', {
    about: 'List the resources of the server, and its templates for their URIs.',
    call: ({ capstan, during }, { id }) => during('listing resources', () => capstan.resources.list({ id })),
    empty: ({ items, templates }) => (items.length + templates.length === 0 ? 'The server offers no resources.' : null),
    text: ({ items, templates }) =>
      table([
        ...items.map((item) => [item.uri, item.name, cut(item.description, 80)]),
        ...templates.map((template) => [
          template.uri_template,
          `${template.name} (template)`,
          cut(template.description, 80),
        ]),
      ]),
  }),
  command('read <id> <uri>', {
    about: 'Read a resource. Its text goes to stdout, binary content as base64.',
    call: ({ capstan, during }, { id, uri }) =>
      during(`reading ${uri}`, () => capstan.resources.read({ id, body: { uri } })),
    text: ({ contents }) =>
      contents.map((entry) => (entry.text === null ? (entry.blob ?? '') : safe(entry.text))).join('\n'),
    after: ({ say }, { trace_id }) => say(facts({ trace: trace_id })),
  }),
  command('prompts <id>', {
    about: 'List the prompts of the server.',
    call: ({ capstan, during }, { id }) => during('listing prompts', () => capstan.prompts.list({ id })),
    empty: 'The server offers no prompts.',
    text: ({ items }) =>
      table(
        items.map((item) => [
          item.name,
          item.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
          cut(item.description, 80),
        ]),
      ),
  }),
  command('prompt <id> <prompt>', {
    about: 'Get the messages of a prompt.',
    options: { '-i, --input <json>': 'arguments as JSON, @file, or - for stdin' },
    async call({ capstan, world, during }, { id, prompt, input }) {
      const args = ((await readInput(world, input)) ?? {}) as Record<string, string>;
      return during(`requesting ${prompt}`, () => capstan.prompts.get({ id, body: { prompt, arguments: args } }));
    },
    text: ({ messages }) => messages.map(({ role, content: block }) => `${role}: ${contentText(block)}`).join('\n'),
    after: ({ say }, { trace_id }) => say(facts({ trace: trace_id })),
  }),
];

const contentText = (entry: Record<string, unknown>): string =>
  typeof entry.text === 'string' ? safe(entry.text) : JSON.stringify(entry);

export const connections = group(
  'connections',
  {
    summary: 'manage connections to MCP servers: add, sign in, tools, call',
    about: 'Manage connections to MCP servers.',
  },
  [...manage, ...access, ...tools, ...content],
);

export const connect = localCommand('connect <server>', {
  summary: 'connect to a server; with --local, run it in a box for clients on this machine',
  about:
    'Connect to a listed server or a URL, like `capstan connections add`. With --local, a packaged server is added to the ' +
    'clients on this machine instead, which run it in a box. This needs no account. Use `capstan undo` to revert.',
  args: {
    server:
      'URL, or any name from a list, search or page; with --local also a package URL such as pkg:npm/<name>@<version>',
  },
  options: {
    '--local': 'run the package in a box on this machine',
    '--name <name>': 'name of the connection, or of the entry in clients',
    ...VALUE_OPTIONS,
    ...SHARE_OPTION,
    '-c, --client <name>': { about: 'with --local: claude-code, cursor, vscode, …; repeatable', many: true },
    '--project': 'with --local: add it for the current project only',
    '--force': 'with --local: overwrite an existing entry',
    '--dry-run': 'with --local: try the server and show the changes without writing them',
  },
  async call(context, asked) {
    if (asked.local) return (await import('../local/connect.ts')).connectLocal(context, asked);
    const flag =
      (['client', 'share'] as const).find((name) => asked[name].length > 0) ??
      (['project', 'force', 'dryRun'] as const).find((name) => asked[name]);
    if (flag !== undefined) throw onlyLocal(flag === 'dryRun' ? 'dry-run' : flag);
    return addConnection({ ...context, ...(await context.open()) }, asked);
  },
  text: (answer) => ('steps' in answer ? localText(answer) : connectionText(answer)),
  after({ say }, answer) {
    if (!('steps' in answer)) return;
    if (answer.wanted_hosts.length > 0) {
      const hosts = answer.wanted_hosts.map((host) => `--host ${host}`).join(' ');
      say(`The server tried to reach hosts that are not allowed. To allow them: ${hosts}`);
    }
    if (answer.id !== null) say(`To revert: capstan undo ${answer.id}`);
  },
});

const localText = (answer: LocalConnection): string =>
  [
    facts({
      name: answer.name,
      package: answer.package.purl,
      tree: `sha256:${answer.package.tree_sha256}`,
      isolation: answer.isolation,
      tools: answer.tools.join(', ') || 'none',
      'left out': answer.left_out.tools.map(({ name, reason }) => `${name} (${reason})`).join(', '),
      hosts: answer.hosts.join(', ') || 'none',
    }),
    stepsText(answer),
  ].join('\n');

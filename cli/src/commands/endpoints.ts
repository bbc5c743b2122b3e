import type { Capstan, Operations } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { choicesIn } from '../install/install-mine.ts';
import { facts, safe, table } from '../output.ts';

type Endpoint = Operations['endpoints']['get']['answer'];

const CHOICE = {
  '-c, --connection <id[=tool,…]>': {
    about: 'a connection, with the tools to offer; default: all connections and tools; repeatable',
    many: true,
  },
} as const;

const endpointText = (endpoint: Endpoint): string =>
  [
    facts({
      endpoint: endpoint.id,
      name: endpoint.name,
      address: endpoint.url,
      token: endpoint.hint,
      expires: endpoint.expires_at ?? 'never',
      used: endpoint.last_used_at ?? 'never',
    }),
    table(
      endpoint.connections.map(({ id, name, prefix, status, tools, ask_except }) => [
        `${prefix}__…`,
        id,
        status,
        name,
        tools === null ? 'all tools' : tools.join(', '),
        ask_except === null
          ? ''
          : `asks before calls${ask_except.length === 0 ? '' : `, except of ${ask_except.join(', ')}`}`,
      ]),
    ),
  ].join('\n');

/** Tools that are called without asking; null if all are. */
async function askExcept(capstan: Capstan, id: string, ask: string): Promise<string[] | null> {
  if (ask === 'never') return null;
  if (ask === 'all') return [];
  const { items } = await capstan.tools.list({ id });
  return items.filter(({ annotations }) => annotations.readOnlyHint === true).map(({ name }) => name);
}

export const endpoints = group(
  'endpoints',
  {
    summary: 'offer your connections to clients as one MCP server',
    about:
      'An endpoint offers chosen tools of your connections as one MCP server. Its token can call nothing else. ' +
      '`capstan install --mine` makes one and writes it into clients.',
  },
  [
    command('list', {
      about: 'List your endpoints.',
      isDefault: true,
      call: ({ capstan }) => capstan.endpoints.list(),
      empty: 'No endpoints. Create one: capstan endpoints add <name>, or capstan install --mine',
      text: ({ items }) =>
        table(
          items.map(({ id, name, hint, last_used_at, connections }) => [
            id,
            hint,
            name,
            `${connections.length} connections`,
            last_used_at === null ? 'never used' : `used ${last_used_at}`,
          ]),
        ),
    }),
    command('show <id>', {
      about: 'Show an endpoint with its connections.',
      call: ({ capstan }, { id }) => capstan.endpoints.get({ id }),
      text: endpointText,
    }),
    command('add <name>', {
      about: 'Create an endpoint. Its token is shown once.',
      options: {
        ...CHOICE,
        '--expires <time>': 'when the token expires, such as 2027-01-31T00:00:00Z; default: never',
      },
      call: ({ capstan }, { name, connection, expires }) =>
        capstan.endpoints.create({ body: { name, connections: choicesIn(connection), expires_at: expires } }),
      text: (made) => `${endpointText(made)}\n\ntoken  ${safe(made.token)}`,
    }),
    command('choose <id>', {
      about: 'Replace the connections and tools of an endpoint. Without options, all are removed.',
      options: CHOICE,
      call: ({ capstan }, { id, connection }) =>
        capstan.endpoints.update({ id, body: { connections: choicesIn(connection) ?? [] } }),
      text: endpointText,
    }),
    command('offer <id> <connection>', {
      about: 'Offer one connection at an endpoint, or change its tools. The others stay.',
      options: {
        '-t, --tool <name>': { about: 'a tool to offer; default: all that are accepted; repeatable', many: true },
        '--ask <calls>': {
          about: 'which calls need your confirmation: writes are calls of tools that are not declared read-only',
          choices: ['writes', 'all', 'never'],
        },
      },
      call: async ({ capstan }, { id, connection, tool, ask }) => {
        const asked = ask === undefined ? {} : { ask_except: await askExcept(capstan, connection, ask) };
        return capstan.endpoints.offer({
          id,
          connection_id: connection,
          body: { tools: tool.length === 0 ? null : tool, ...asked },
        });
      },
      text: endpointText,
    }),
    command('remove <id>', {
      about: 'Delete the endpoint and revoke its token.',
      call: ({ capstan }, { id }) => capstan.endpoints.delete({ id }),
      text: () => 'deleted',
    }),
  ],
);

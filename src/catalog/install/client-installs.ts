import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { type CommandEntry, type Entry, entryOf } from './install-entry.ts';

/** How to add a listing's server to each client: a command, a link, or a configuration entry. Pure. */

const text = Type.String();

export const ClientInstall = Type.Object({
  client: Type.String({ description: 'Identifier, such as `claude-code`.' }),
  title: text,
  command: Type.String({ description: 'A command line; empty if the client has none.' }),
  link: Type.String({ description: 'Opens the client with the server filled in; empty if it has none.' }),
  config: Type.Union(
    [
      Type.Object({
        format: Type.Enum(['json', 'toml', 'yaml']),
        user_file: Type.String({
          description: "The user's configuration file, relative to `~/`. Empty if there is none.",
        }),
        project_file: Type.String({
          description: "A project's configuration file, relative to its folder. Empty if there is none.",
        }),
        key: Type.String({ description: 'The key in the file that holds the servers by name.' }),
        value: Type.Record(Type.String(), Type.Unknown(), { description: "The server's entry." }),
      }),
      Type.Null(),
    ],
    { description: 'Entry for its configuration file.' },
  ),
});
export type ClientInstall = Static<typeof ClientInstall>;
type ClientConfig = NonNullable<ClientInstall['config']>;

interface Listed {
  name: string;
  external_id: string;
  install: Record<string, unknown> | null;
}

/** The name for client configurations, and the instructions per client. Null if the listing does not say how to install it. */
export function clientInstalls(listed: Listed): { name: string; clients: ClientInstall[] } | null {
  const entry = entryOf(listed.install);
  if (entry === null) return null;
  const name = entryName(listed);
  return { name, clients: installsOf(name, entry) };
}

/** How each client that supports it gets this entry. */
export const installsOf = (name: string, entry: Entry): ClientInstall[] =>
  CLIENTS.flatMap((client) => installOf(client, name, entry));

/** Entries for a remote server that needs headers, such as a token. Without commands and links, which are kept in histories. */
export const entriesWithHeaders = (name: string, url: string, headers: Record<string, string>): ClientInstall[] =>
  installsOf(name, { url }).flatMap((install) => {
    if (install.config === null) return [];
    const value = { ...install.config.value, [install.client === 'codex' ? 'http_headers' : 'headers']: headers };
    return [{ ...install, command: '', link: '', config: { ...install.config, value } }];
  });

/** A name that is valid in every client. */
const entryName = ({ name, external_id }: Listed): string =>
  [name, external_id].map(slugOf).find((slug) => slug !== '') ?? 'server';

export const slugOf = (words: string): string =>
  words
    .slice(words.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 41)
    .replace(/^-|-$/g, '');

interface Client {
  client: string;
  title: string;
  file?: Pick<ClientConfig, 'format' | 'user_file' | 'project_file' | 'key'>;
  /** Null if the client does not support this kind of server. */
  value?(entry: Entry, name: string): Record<string, unknown> | null;
  command?(name: string, entry: Entry): string;
  link?(name: string, entry: Entry): string;
}

function installOf({ client, title, ...of }: Client, name: string, entry: Entry): ClientInstall[] {
  const value = of.value?.(entry, name) ?? null;
  const config = of.file === undefined || value === null ? null : { ...of.file, value };
  const [command, link] = [of.command?.(name, entry) ?? '', of.link?.(name, entry) ?? ''];
  return config === null && command === '' && link === '' ? [] : [{ client, title, command, link, config }];
}

const isRemote = (entry: Entry): entry is { url: string } => 'url' in entry;
const bare = (entry: Entry): Record<string, unknown> => ({ ...entry });
const typed = (entry: Entry) => ({ type: isRemote(entry) ? 'http' : 'stdio', ...entry });
const addressAs =
  (key: string) =>
  (entry: Entry): Record<string, unknown> =>
    isRemote(entry) ? { [key]: entry.url } : bare(entry);
const json = (user_file: string, project_file: string, key = 'mcpServers') =>
  ({ format: 'json', user_file, project_file, key }) as const;
const enc = (value: unknown): string => encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
const base64 = (value: unknown): string => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));

/** As each client documents it, in the order in which pages show them. */
const CLIENTS: Client[] = [
  {
    client: 'claude-code',
    title: 'Claude Code',
    file: json('.claude.json', '.mcp.json'),
    value: typed,
    command: (name, entry) =>
      isRemote(entry)
        ? `claude mcp add --transport http ${name} ${word(entry.url)}`
        : `claude mcp add ${flags('--env', entry)}${name} -- ${lineOf(entry)}`,
  },
  {
    client: 'cursor',
    title: 'Cursor',
    file: json('.cursor/mcp.json', '.cursor/mcp.json'),
    value: bare,
    link: (name, entry) => `cursor://anysphere.cursor-deeplink/mcp/install?name=${enc(name)}&config=${base64(entry)}`,
  },
  {
    client: 'vscode',
    title: 'VS Code',
    file: json('', '.vscode/mcp.json', 'servers'),
    value: typed,
    command: (name, entry) =>
      `code --add-mcp ${word(JSON.stringify(isRemote(entry) ? { name, ...typed(entry) } : { name, ...entry }))}`,
    link: (name, entry) => `vscode:mcp/install?${enc({ name, ...typed(entry) })}`,
  },
  {
    client: 'vscode-insiders',
    title: 'VS Code Insiders',
    command: (name, entry) => `code-insiders --add-mcp ${word(JSON.stringify({ name, ...typed(entry) }))}`,
    link: (name, entry) => `vscode-insiders:mcp/install?${enc({ name, ...typed(entry) })}`,
  },
  {
    client: 'codex',
    title: 'Codex',
    value: bare,
    file: { format: 'toml', user_file: '.codex/config.toml', project_file: '.codex/config.toml', key: 'mcp_servers' },
    command: (name, entry) =>
      isRemote(entry)
        ? `codex mcp add ${name} --url ${word(entry.url)}`
        : `codex mcp add ${flags('--env', entry)}${name} -- ${lineOf(entry)}`,
  },
  {
    client: 'gemini-cli',
    title: 'Gemini CLI',
    value: addressAs('httpUrl'),
    file: json('.gemini/settings.json', '.gemini/settings.json'),
    command: (name, entry) =>
      isRemote(entry)
        ? `gemini mcp add --transport http ${name} ${word(entry.url)}`
        : `gemini mcp add ${flags('-e', entry)}${name} ${lineOf(entry)}`,
  },
  {
    client: 'goose',
    title: 'Goose',
    value: gooseValue,
    file: { format: 'yaml', user_file: '.config/goose/config.yaml', project_file: '', key: 'extensions' },
    link: (name, entry) =>
      isRemote(entry)
        ? `goose://extension?type=streamable_http&url=${enc(entry.url)}&id=${enc(name)}&name=${enc(name)}&description=`
        : `goose://extension?cmd=${enc(entry.command)}${entry.args.map((arg) => `&arg=${enc(arg)}`).join('')}&id=${enc(name)}&name=${enc(name)}&description=`,
  },
  {
    client: 'lm-studio',
    title: 'LM Studio',
    file: json('.lmstudio/mcp.json', ''),
    value: bare,
    link: (name, entry) => `lmstudio://add_mcp?name=${enc(name)}&config=${base64(entry)}`,
  },
  {
    client: 'kiro',
    title: 'Kiro',
    value: bare,
    file: json('.kiro/settings/mcp.json', '.kiro/settings/mcp.json'),
    link: (name, entry) => `https://kiro.dev/launch/mcp/add?name=${enc(name)}&config=${enc(entry)}`,
  },
  {
    client: 'windsurf',
    title: 'Windsurf',
    value: addressAs('serverUrl'),
    file: json('.codeium/windsurf/mcp_config.json', ''),
  },
  {
    client: 'zed',
    title: 'Zed',
    value: (entry) => ({ source: 'custom', ...entry }),
    file: json('.config/zed/settings.json', '.zed/settings.json', 'context_servers'),
  },
  {
    client: 'claude-desktop',
    title: 'Claude Desktop',
    value: (entry) => (isRemote(entry) ? null : bare(entry)),
    file: json('Library/Application Support/Claude/claude_desktop_config.json', ''),
  },
  {
    client: 'any',
    title: 'Any other client',
    command: (_name, entry) =>
      isRemote(entry) ? `npx add-mcp ${word(entry.url)}` : `npx add-mcp ${word(lineOf(entry))}`,
  },
];

function gooseValue(entry: Entry, name: string): Record<string, unknown> {
  const shared = { name, enabled: true, timeout: 300 };
  if (isRemote(entry)) return { ...shared, type: 'streamable_http', uri: entry.url };
  const { command, args, env = {} } = entry;
  return { ...shared, type: 'stdio', cmd: command, args, envs: env };
}

const lineOf = ({ command, args }: CommandEntry): string => [command, ...args].map(word).join(' ');

const flags = (flag: string, { env = {} }: CommandEntry): string =>
  Object.entries(env)
    .map(([key, value]) => `${flag} ${key}=${word(value)} `)
    .join('');

/** Quotes the text as one word of a shell. */
const word = (words: string): string =>
  /^[A-Za-z0-9@%_+=:,./-]+$/.test(words) ? words : `'${words.replaceAll("'", `'\\''`)}'`;

import { type CommandEntry, type Entry, entryOf } from './install-entry.ts';

/** How each client gets a listing's server: its command, or a link that opens it. Pure. */

export interface ClientInstall {
  client: string;
  /** A command line, or a link. */
  how: string;
}

interface Listed {
  name: string;
  external_id: string;
  install: Record<string, unknown> | null;
}

/** Empty where nobody says how the server is had. */
export function clientInstalls(listed: Listed): ClientInstall[] {
  const entry = entryOf(listed.install);
  if (entry === null) return [];
  const name = entryName(listed);
  return 'url' in entry ? ofAddress(name, entry.url) : ofCommand(name, entry);
}

/** A name that every client takes. */
const entryName = ({ name, external_id }: Listed): string =>
  [name, external_id].map(slugOf).find((it) => it !== '') ?? 'server';

const slugOf = (text: string): string =>
  text
    .slice(text.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 41)
    .replace(/^-|-$/g, '');

const ofAddress = (name: string, url: string): ClientInstall[] => [
  { client: 'claude-code', how: `claude mcp add --transport http ${name} ${word(url)}` },
  { client: 'codex', how: `codex mcp add ${name} --url ${word(url)}` },
  { client: 'gemini-cli', how: `gemini mcp add --transport http ${name} ${word(url)}` },
  { client: 'vscode', how: `code --add-mcp ${word(JSON.stringify({ name, type: 'http', url }))}` },
  { client: 'cursor', how: cursorLink(name, { url }) },
  { client: 'any', how: `npx add-mcp ${word(url)}` },
];

function ofCommand(name: string, entry: CommandEntry): ClientInstall[] {
  const line = [entry.command, ...entry.args].map(word).join(' ');
  const values = Object.entries(entry.env ?? {})
    .map(([key, value]) => `--env ${key}=${word(value)} `)
    .join('');
  return [
    { client: 'claude-code', how: `claude mcp add ${values}${name} -- ${line}` },
    { client: 'codex', how: `codex mcp add ${values}${name} -- ${line}` },
    { client: 'vscode', how: `code --add-mcp ${word(JSON.stringify({ name, ...entry }))}` },
    { client: 'cursor', how: cursorLink(name, entry) },
  ];
}

const cursorLink = (name: string, entry: Entry): string => {
  const config = Buffer.from(JSON.stringify(entry)).toString('base64');
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(config)}`;
};

/** One word of a shell's, whatever stands in it. */
const word = (text: string): string =>
  /^[A-Za-z0-9@%_+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

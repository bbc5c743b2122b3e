import { quoted } from '#catalog/checks/violation.ts';
import { isRecord } from '#core/record.ts';
import { isSecretName } from '#core/text/redact.ts';
import type { ServerEntry } from './harness.ts';
import type { Reader } from './manifest-reader.ts';

/** `mcp-servers` of harness.yaml: a map by name, or a list of maps with a name. Pure. */

const KEYS = ['name', 'type', 'transport', 'url', 'command', 'args', 'env', 'headers', 'ref', 'tools', 'description'];

export function readServers(reader: Reader): ServerEntry[] {
  const servers = reader.root['mcp-servers'];
  const entries: [path: (string | number)[], name: unknown, about: unknown][] = isRecord(servers)
    ? Object.entries(servers).map(([name, about]) => [['mcp-servers', name], name, about])
    : reader
        .list(['mcp-servers'], servers)
        .map((value, index) => [['mcp-servers', index], isRecord(value) ? value.name : null, value]);
  const names = new Set<string>();
  return entries.flatMap(([path, name, about]) => {
    if (!isRecord(about)) {
      reader.fault('server-entry', path, `${quoted(String(path[1]))} is not a map.`);
      return [];
    }
    if (typeof name !== 'string' || !/^[\w.-]{1,100}$/.test(name) || names.has(name)) {
      reader.fault('server-entry', path, `${quoted(String(name))} is not a valid server name, or is already used.`);
      return [];
    }
    names.add(name);
    return readServer(reader, path, name, about);
  });
}

function readServer(
  reader: Reader,
  path: (string | number)[],
  name: string,
  about: Record<string, unknown>,
): ServerEntry {
  reader.onlyKeys(about, path, KEYS);
  const text = (key: string, most: number) => reader.text([...path, key], about[key], most);
  for (const key of ['type', 'transport', 'description']) text(key, 1_024);
  const [url, command, ref] = [text('url', 2_000), text('command', 1_000), text('ref', 500)];
  const ways = [url, command, ref].filter((value) => value !== null).length;
  if (ways !== 1) reader.fault('server-entry', path, `${quoted(name)} has ${ways} of url, command and ref.`);
  if (url !== null && !isWebUrl(url))
    reader.fault('server-entry', [...path, 'url'], `The address of ${quoted(name)} is not an https URL.`);
  if (command !== null)
    reader.fault('server-command', [...path, 'command'], `${quoted(name)} is started by a command.`);
  const tools = reader.map([...path, 'tools'], about.tools);
  if (tools !== null) reader.onlyKeys(tools, [...path, 'tools'], ['allow']);
  return {
    name,
    url,
    command,
    ref,
    args: reader.texts([...path, 'args'], about.args, 4_096),
    env: withoutSecrets(reader, [...path, 'env'], about.env),
    headers: withoutSecrets(reader, [...path, 'headers'], about.headers),
    allow: tools?.allow === undefined ? null : reader.texts([...path, 'tools', 'allow'], tools.allow, 200),
  };
}

/** Variables (`${NAME}`) replace secrets. */
function withoutSecrets(reader: Reader, path: (string | number)[], value: unknown): Record<string, string> {
  const map = reader.texting(path, value);
  for (const [key, text] of Object.entries(map))
    if (isSecretName(key) && !text.includes('${'))
      reader.fault('secret-literal', [...path, key], `The value of ${quoted(key)} is written down (not shown).`);
  return map;
}

/** Plain http is only allowed for loopback. Variables are allowed. */
export function isWebUrl(url: string): boolean {
  const plain = url.replace(/\$\{\w{1,100}\}/g, 'x');
  if (!URL.canParse(plain)) return false;
  const { protocol, hostname } = new URL(plain);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}

/** Names of the variables that the servers want. */
export const variablesOf = ({ url, env, headers, args }: ServerEntry): string[] =>
  [url ?? '', ...args, ...Object.values(env), ...Object.values(headers)].flatMap((text) =>
    [...text.matchAll(/\$\{(\w{1,100})\}/g)].map((match) => match[1] as string),
  );

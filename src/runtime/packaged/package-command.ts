import { parseArgs } from 'node:util';
import { openStdioSession } from '#core/mcp/stdio-session.ts';
import type { PackageSource } from '#core/mcp/target.ts';
import { plainName } from '#core/mcp/tool.ts';
import { type LeftOut, leftOutText } from '#core/mcp/tool-listing.ts';
import type { HostUse } from '#runtime/egress/egress.ts';
import type { Ecosystem } from '#runtime/packages/package.ts';
import type { Runtime } from './runtime.ts';
import type { PackagedServer } from './start-server.ts';

/** `capstand package try`: prepares a package, starts it in a box without network, and lists its tools. */

export const PACKAGE_USAGE =
  'package try <npm|pypi|oci> <name> <version> [--env NAME=VALUE]... [--json] [-- argument...]';

interface Io {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

interface Asked {
  source: PackageSource;
  env: Record<string, string>;
  args: string[];
  json: boolean;
}

interface Tried {
  package: string;
  version: string;
  lock_sha256: string;
  tree_sha256: string;
  isolation: string | null;
  size_bytes: number;
  files: number;
  server: { name: string; version: string } | null;
  protocol_version: string;
  tools: string[];
  /** Tools whose definition breaks the protocol. */
  left_out: LeftOut;
  /** Hosts that the server asked for and did not get. */
  wanted_hosts: string[];
  steps_ms: Record<string, number>;
}

const LIMITS = { timeout_ms: 60_000, max_bytes: 16 * 1_048_576 };

export async function packageCommand(
  argv: readonly string[],
  { stdout, stderr }: Io,
  { open, signal }: { open(): Promise<Runtime>; signal: AbortSignal },
): Promise<number> {
  const asked = readArguments(argv);
  if (asked === null) {
    stderr.write(`usage: capstand ${PACKAGE_USAGE}\n`);
    return 2;
  }
  const runtime = await open();
  try {
    const tried = await tryPackage(runtime, asked, stderr, signal);
    if (typeof tried === 'string') {
      stderr.write(`${tried}\n`);
      return 1;
    }
    stdout.write(asked.json ? `${JSON.stringify(tried)}\n` : shown(tried));
    return 0;
  } finally {
    await runtime.close();
  }
}

function readArguments(argv: readonly string[]): Asked | null {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  try {
    const { values, positionals } = parseArgs({
      args: [...own],
      allowPositionals: true,
      options: { env: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    });
    const [verb, ecosystem, name, version, ...more] = positionals;
    const isWhole = verb === 'try' && name !== undefined && version !== undefined && more.length === 0;
    if (!isWhole || (ecosystem !== 'npm' && ecosystem !== 'pypi' && ecosystem !== 'oci')) return null;
    const pairs = (values.env ?? []).map((pair) => pair.split(/=(.*)/s) as [string, string | undefined]);
    if (pairs.some(([, value]) => value === undefined)) return null;
    return {
      source: sourceOf(ecosystem, name, version),
      env: Object.fromEntries(pairs) as Record<string, string>,
      args: end === -1 ? [] : argv.slice(end + 1),
      json: values.json === true,
    };
  } catch {
    return null;
  }
}

const sourceOf = (registry_type: Ecosystem, identifier: string, version: string): PackageSource => ({
  registry_type,
  identifier,
  version,
  file_sha256: '',
  registry_base_url: '',
});

/** The result, or the reason of the failure. */
async function tryPackage(
  runtime: Runtime,
  { source, env, args }: Asked,
  progress: Io['stderr'],
  signal: AbortSignal,
): Promise<Tried | string> {
  const ref = await runtime.pin(source, signal);
  const prepared = await runtime.prepare(ref, {
    signal,
    on_step: ({ step, bytes }) => progress.write(`${step}${bytes > 0 ? ` ${(bytes / 1e6).toFixed(1)} MB` : ''}\n`),
  });
  progress.write('starting\n');
  const running: PackagedServer[] = [];
  const start = async (ended: AbortSignal) => {
    const egress = { mode: 'none', watch: true } as const;
    const server = await runtime.start(prepared, { args, env, secrets: Object.values(env), egress }, ended);
    running.push(server);
    return server;
  };
  const opened = await openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, signal);
  if (!opened.ok) return `${sentence(opened.failure.detail)}${wantedText(running[0]?.hosts() ?? [])}`;
  const listed = await opened.value.work(LIMITS, signal, async (session) => {
    const { tools, left_out } = await session.listTools();
    const { server, protocol_version } = session;
    return { server, protocol_version, tools: tools.map(({ name }) => plainName(name)), left_out };
  });
  const wanted = running[0]?.hosts() ?? [];
  await opened.value.close();
  if (!listed.ok) return `${sentence(listed.failure.detail)}${wantedText(wanted)}`;
  return {
    package: ref.name,
    version: ref.version,
    lock_sha256: prepared.lock_sha256,
    tree_sha256: prepared.tree_sha256,
    isolation: runtime.isolation,
    size_bytes: prepared.size_bytes,
    files: prepared.files,
    server: listed.value.server,
    protocol_version: listed.value.protocol_version,
    tools: listed.value.tools,
    left_out: listed.value.left_out,
    wanted_hosts: hostsOf(wanted),
    steps_ms: prepared.steps_ms,
  };
}

const hostsOf = (uses: readonly HostUse[]): string[] => [...new Set(uses.map(({ host }) => host))];

const sentence = (detail: string): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

const wantedText = (uses: readonly HostUse[]): string =>
  uses.length === 0 ? '' : ` It tried to reach: ${hostsOf(uses).join(', ')}.`;

const shown = (tried: Tried): string =>
  [
    `${tried.package}@${tried.version}: ${tried.files} files, ${(tried.size_bytes / 1e6).toFixed(1)} MB`,
    `isolation   ${tried.isolation}`,
    `tree        sha256:${tried.tree_sha256}`,
    `lock        sha256:${tried.lock_sha256}`,
    `protocol    ${tried.protocol_version}`,
    `tools       ${tried.tools.join(', ') || 'none'}`,
    ...(tried.left_out.count === 0 ? [] : [`left out    ${leftOutText(tried.left_out)}`]),
    `hosts       ${tried.wanted_hosts.join(', ') || 'none'}`,
    '',
  ].join('\n');

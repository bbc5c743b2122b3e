import type { StdioEnd, StdioServer } from '#core/mcp/stdio-session.ts';
import type { BoxEndpoint } from '#core/mcp/target.ts';
import { secretValues } from '#core/text/secret-values.ts';
import { plain } from '#core/tools/words.ts';
import type { Box, BoxDriver, BoxEnd, BoxEndReason, BoxLimits, BoxUsage } from '#runtime/boxes/box.ts';
import { hostNode } from '#runtime/boxes/image-root.ts';
import type { Egress, HostUse } from '#runtime/egress/egress.ts';
import type { Prepared } from '#runtime/packages/package.ts';
import { bridged } from './bridge.ts';

/** A prepared package, started in a box as an MCP server over standard input and output. */

interface PackagedOrder {
  prepared: Prepared;
  /** Appended to the arguments of the entry. They are visible in the process list: no secrets. */
  args: readonly string[];
  /** The user's values by name. They take precedence over those of the entry. */
  env: Readonly<Record<string, string>>;
  /** The values of `env` that must not appear in messages about the server's end. */
  secrets: readonly string[];
  limits: BoxLimits;
  egress: Egress;
  /** Where the server listens in its box; undefined for standard input and output. */
  endpoint?: BoxEndpoint | undefined;
  /** Files and folders of this host that the box sees at the same path, read-only. */
  folders?: readonly string[] | undefined;
}

export interface PackagedServer extends StdioServer {
  /** Hosts that the server reached, and those that it was refused. */
  hosts(): HostUse[];
  usage(): BoxUsage | null;
  /** It has started. */
  settled(): void;
  /** Whether it said that it needs a browser or a display. */
  wantsDisplay(): boolean;
}

/** The end of standard error, where programs say why they stop. */
const TAIL_BYTES = 4_096;
const MOST_WORDS = 300;

/**
 * Starts the server. The box ends with the signal. `gone` reports a box that could not start.
 *
 * @throws `runs.unavailable` (`box_unavailable`) and `http.invalid` (`input`), as the driver does.
 */
export async function startPackagedServer(
  boxes: Pick<BoxDriver, 'start'>,
  { prepared, args, env, secrets, limits, egress, endpoint, folders = [] }: PackagedOrder,
  signal: AbortSignal,
): Promise<PackagedServer> {
  const { entry, mounts, root } = prepared;
  const argv = [...entry.argv, ...args];
  const box = await boxes.start({
    argv: endpoint === undefined ? argv : bridged(argv, endpoint, root === null ? undefined : hostNode()),
    env: { ...entry.env, ...env },
    cwd: entry.cwd,
    mounts: [...mounts, ...folders.map((path) => ({ from: path, to: path, writable: false }))],
    root: root ?? undefined,
    disk: null,
    limits,
    egress: { ...egress, listens: lowPortOf(endpoint) },
    signal,
  });
  const tail = tailOf(box);
  const { scrub } = secretValues(secrets);
  return {
    stdin: box.stdin,
    stdout: box.stdout,
    kill: () => box.kill(),
    gone: box.gone.then((end) => endOf(end, scrub(tail()))),
    hosts: () => box.hosts().map((use) => ({ ...use, host: scrub(use.host) })),
    usage: () => box.usage(),
    settled: () => box.settled(),
    wantsDisplay: () => WANTS_DISPLAY.test(tail()),
  };
}

/** Ports from here on need no right. */
const FREE_PORTS = 1_024;

const lowPortOf = (endpoint: BoxEndpoint | undefined): number | undefined =>
  endpoint !== undefined && endpoint.port < FREE_PORTS ? endpoint.port : undefined;

/** What browsers, their drivers and window systems say where they are missing. */
const WANTS_DISPLAY =
  /missing x server|cannot open display|can't open display|couldn't connect to display|no display (?:name|environment)|\$DISPLAY|could not find chrom|failed to launch the browser|browsertype\.launch|executable doesn't exist at \S{0,200}(?:chrom|firefox|webkit|browser)|distribution 'chrom|cannot find chrome binary|no usable browser|spawn (?:xdg-open|google-chrome|chromium)\S{0,40} ENOENT/i;

function tailOf({ stderr }: Box): () => string {
  let tail = Buffer.alloc(0);
  stderr.on('error', () => {});
  stderr.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  });
  return () => tail.toString('utf8');
}

const REASONS: Record<BoxEndReason, StdioEnd['reason']> = {
  exited: 'exited',
  killed: 'killed',
  out_of_memory: 'out_of_memory',
  processes: 'failed',
  cpu: 'failed',
  wall: 'failed',
  disk: 'failed',
  failed_to_start: 'failed',
};

/** What runtimes say when the limit of addresses stops an allocation before the memory is seen to be used. */
const OUT_OF_MEMORY =
  /array buffer allocation failed|heap out of memory|cannot allocate memory|std::bad_alloc|^MemoryError\b|^fatal error: out of memory/i;

/** Ends of reports that say nothing: brackets, frames of a stack, and the version with which Node closes. */
const SAYS_NOTHING = /^\s*(?:[\]{}(),;^~-]*|at .*|\d+: 0x.*|Node\.js v\d.*)$/;
/** Of an error that nobody caught, its first line: `TypeError: no key`, `[TypeError: fetch failed] {`, `Failed: Error: no host`. */
const NAMES_ERROR = /^(?:# )?(?:Fatal\b|\[?(?:\w[\w ]{0,59}: )?\w*Error\b).*:/;

/** The last line, or the error that a report at the end names first. */
function lastWords(lines: readonly string[]): string {
  const last = lines.findLastIndex((line) => !SAYS_NOTHING.test(line));
  if (last === lines.length - 1) return lines[last] ?? '';
  return lines.findLast((line) => NAMES_ERROR.test(line)) ?? lines[last] ?? '';
}

/** Includes the last line that the program wrote to standard error, quoted and shortened. */
function endOf({ reason, message }: BoxEnd, tail: string): StdioEnd {
  const lines = tail.trimEnd().split('\n');
  const starved = reason === 'exited' ? lines.find((line) => OUT_OF_MEMORY.test(line)) : undefined;
  if (starved !== undefined) {
    const said = plain(starved, MOST_WORDS).replaceAll('"', "'");
    return { reason: 'out_of_memory', message: `${message} It ran out of memory: "${said}".` };
  }
  const words = plain(lastWords(lines), MOST_WORDS);
  const said = reason === 'exited' && words !== '' ? ` Its last line was "${words.replaceAll('"', "'")}".` : '';
  return { reason: REASONS[reason], message: `${message}${said}` };
}

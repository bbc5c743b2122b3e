import { parseArgs } from 'node:util';
import { findListing } from '#catalog/items/find-listing.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import type { PackageFacts, Ran } from '#catalog/items/runnable.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { visible } from '#core/markdown/escape.ts';
import { Problem } from '#core/problem/problem.ts';
import type { ProbesDeps } from './probe-host.ts';
import { type ProbeNowDeps, probeNow } from './probe-now.ts';
import { type RunnableDeps, readRunnable } from './runnable.ts';

/** `capstand probe`: probes the server of one listing now, even if CAPSTAN_PROBE is off. */

export const PROBE_USAGE = `probe PROVIDER/ID [--json]

  Probes the server now, which counts as its host's probe of the day. Respects robots.txt, CAPSTAN_PROBE_SKIP and a
  Retry-After of the host. A package is prepared and started in a box without network and values.
  Exit code 0: the server can be called.`;

interface ProbeCommandDeps extends ProbeNowDeps, RunnableDeps {
  signal: AbortSignal;
}

type Io = Pick<CommandIo, 'stdout' | 'stderr'>;

/** Returns the exit code. */
export async function probeCommand(argv: string[], io: Io, deps: ProbeCommandDeps): Promise<number> {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options });
  const [ref] = positionals;
  if (ref === undefined || positionals.length > 1) {
    io.stderr.write(`usage: capstand ${PROBE_USAGE}\n`);
    return 2;
  }
  const row = await listingNamed(deps, ref);
  if (row === null) {
    io.stderr.write(`capstand probe: unknown listing ${ref}. Write provider/id; ids are case-sensitive.\n`);
    return 3;
  }
  await probeNow(deps, row, deps.signal);
  const ran = await readRunnable(deps)(row);
  io.stdout.write(values.json ? `${JSON.stringify(ran)}\n` : shown(ref, ran));
  return ran.runnable.reason === 'ok' ? 0 : 1;
}

async function listingNamed({ db, clock }: ProbesDeps, ref: string): Promise<ListingRow | null> {
  const slash = ref.indexOf('/');
  const [provider, id] = [ref.slice(0, slash), ref.slice(slash + 1)];
  if (slash < 1 || id === '' || !(PROVIDERS as readonly string[]).includes(provider)) return null;
  try {
    const found = await findListing(db, provider, id, clock.now());
    return found.kind === 'listing' && !found.markdown ? found.row : null;
  } catch (error) {
    if (error instanceof Problem && (error.kind === 'not_found' || error.kind === 'gone')) return null;
    throw error;
  }
}

const MOST_CHARACTERS = 100;

/** Untrusted text is escaped, so that it cannot control the terminal. */
function shown(ref: string, { runnable, tools }: Ran): string {
  const { reason, detail, protocol_version, last_seen_at, tools_hash, tool_count, package: started } = runnable;
  const facts = [
    ...(started === null ? [] : packageLines(started)),
    ...(protocol_version === null ? [] : [`protocol   ${line(protocol_version)}`]),
    ...(last_seen_at === null ? [] : [`last seen  ${last_seen_at}`]),
    ...(tools_hash === null ? [] : [`tools      ${tool_count}, ${tools_hash}`]),
    ...(tools ?? []).map(({ name, title, description }) => `  ${line(name)}  ${line(description || title)}`),
  ];
  return [`${line(ref)}: ${reason ?? 'unknown'}. ${line(detail, 500)}`, ...facts]
    .map((fact) => `${fact.trimEnd()}\n`)
    .join('');
}

function packageLines({ purl, size_bytes, start_ms, isolation, wanted_hosts }: PackageFacts): string[] {
  return [
    `package    ${line(purl, 300)}, ${(size_bytes / 1e6).toFixed(1)} MB`,
    ...(start_ms === null ? [] : [`started    in ${start_ms} ms`]),
    `isolation  ${line(isolation)}`,
    ...(wanted_hosts.length === 0 ? [] : [`wanted     ${line(wanted_hosts.join(', '), 500)}`]),
  ];
}

function line(text: string, most = MOST_CHARACTERS): string {
  const plain = visible(text).replace(/\s+/gu, ' ').trim();
  return plain.length <= most ? plain : `${plain.slice(0, most).toWellFormed()}…`;
}

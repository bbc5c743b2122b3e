import { storable } from '#catalog/items/listing-row.ts';
import type { RunnableReason } from '#catalog/items/runnable.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { type PackagedFacts, type PackagedServers, wantedHosts } from '#core/mcp/packaged-servers.ts';
import type { PackageSource } from '#core/mcp/target.ts';
import { Problem } from '#core/problem/problem.ts';
import { type ProbeResult, resultOf, sentence, successOf } from './probe.ts';
import type { ProbedPackage } from './probe-target.ts';

/** One probe of a package: prepare, start without network and values, initialize, `tools/list`. No tool is called. */

export type StartPackages = Pick<PackagedServers, 'through'>;

/** Of the handshake and the list; preparing and starting have the limits of the runtime. */
const LIMITS = { timeout_ms: 30_000, max_bytes: 4 * 1024 * 1024 };

/**
 * A Problem if it could not be tried, which says nothing about the package. Throws the signal's reason if it is aborted.
 */
export async function probePackage(
  servers: StartPackages,
  { package: source, arguments: args, env, endpoint }: ProbedPackage,
  signal: AbortSignal,
): Promise<ProbeResult | Problem> {
  const started = { package: source, arguments: args, env, endpoint };
  const target = { transport: 'stdio', ...started, secrets: [], hosts: [] } as const;
  let startedAtMs = 0;
  let startMs: number | null = null;
  try {
    const { answer, facts } = await servers.through(
      {
        target,
        kept: null,
        share: OWN_SHARE,
        limits: LIMITS,
        signal,
        expendable: true,
        on_step: ({ step }) => {
          if (step === 'starting') startedAtMs = performance.now();
        },
      },
      async (session) => {
        startMs = Math.round(performance.now() - startedAtMs);
        const { protocol_version, server } = session;
        return { listing: await session.listTools(), protocol_version, server };
      },
    );
    const result = answer.ok ? await successOf(answer.value, 'package') : failureOf(answer.failure);
    return { ...result, package: factsOf(facts, startMs) };
  } catch (error) {
    if (signal.aborted || !(error instanceof Problem)) throw error;
    if (isOurs(error, source)) return error;
    // Only the files of a bundle say what it requires.
    const reason = error.code === 'packages.input_required' ? 'missing_env' : 'failed';
    return resultOf(reason, storable(error.message).slice(0, 500).toWellFormed());
  }
}

/**
 * Whether the service or a registry is at fault, so that the same package may start later. The host of a bundle is named by its
 * listing alone: where it is away, the package is.
 */
const isOurs = ({ kind, reason }: Problem, { registry_type }: PackageSource): boolean =>
  kind === 'unavailable' ||
  kind === 'conflict' ||
  kind === 'rate_limited' ||
  (reason === 'registry_unavailable' && registry_type !== 'mcpb');

const MOST_HOSTS = 50;

const factsOf = ({ purl, size_bytes, isolation, hosts }: PackagedFacts, start_ms: number | null) => ({
  purl,
  size_bytes,
  start_ms,
  isolation,
  wanted_hosts: wantedHosts(hosts).slice(0, MOST_HOSTS),
});

interface Meaning {
  reason: RunnableReason;
  next: string;
}

const ALONE = {
  reason: 'failed',
  next: 'It was started without values and without network. Next: connect to it with the values and hosts that it needs.',
} as const;
const UNSUPPORTED = { reason: 'unsupported', next: 'Next: use it in a client of your own.' } as const;

const MEANINGS: Record<McpFailure['reason'], Meaning> = {
  start_failed: ALONE,
  timed_out: ALONE,
  broken: ALONE,
  unreachable: ALONE,
  auth_needed: ALONE,
  wants_network: { reason: 'wants_network', next: 'Next: connect to it and grant these hosts.' },
  wants_display: {
    reason: 'unsupported',
    next: 'Next: run it in a client of your own, on a machine with a browser or a display.',
  },
  out_of_memory: { reason: 'failed', next: 'An operator can raise CAPSTAN_RUNTIME_MEMORY_MB.' },
  not_mcp: { reason: 'not_mcp', next: 'Next: check the arguments in its listing, or tell its author.' },
  too_large: UNSUPPORTED,
  refused: UNSUPPORTED,
  input_required: UNSUPPORTED,
};

function failureOf({ reason, detail }: McpFailure): ProbeResult {
  const { reason: shown, next } = MEANINGS[reason];
  return resultOf(shown, `${sentence(detail)} ${next}`);
}

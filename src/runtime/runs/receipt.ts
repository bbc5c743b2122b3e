import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { defined } from '#core/defined.ts';
import { sealTrace } from '#core/traces/sealed-traces.ts';
import { listSpans } from '#core/traces/spans.ts';
import { digestOfSpans } from '#core/traces/trace-answer.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { hostFacts, resourceFacts } from '#runtime/receipts/box-facts.ts';
import type { Intent, Receipts, RunStart } from '#runtime/receipts/receipts.ts';

import type { Capability } from './capability.ts';
import { NO_ENVIRONMENT, type RunEnvironment, type RunResult } from './result.ts';

/** Signs the intent of a run before it starts, and its receipt when it has ended or was interrupted. */

export interface SigningDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tracing: Pick<Tracing, 'flush'>;
  /** Opened with the first run that is signed, because the service's keys are. */
  receipts(): Promise<Pick<Receipts, 'intend' | 'sign' | 'refuse' | 'lastIntent'>>;
}

/** The members of a capability that an intent contains. */
export type RunTarget = Pick<Capability, 'kind' | 'ref' | 'version' | 'digest' | 'execution_class'>;

type SignedStart = RunStart & { intent_sha256: string; started_at: string };

/** The subject of a receipt: the version and the digest of what ran. */
export const subjectOf = ({ kind, ref, version, digest }: RunTarget): RunStart['subject'] => ({
  name: `${kind}/${ref}@${version}`,
  digest: { sha256: digest.replace(/^sha256:/, '') },
});

export async function signIntent({ clock, receipts }: SigningDeps, start: RunStart): Promise<SignedStart> {
  const intent_sha256 = await (await receipts()).intend(start);
  return { ...start, intent_sha256, started_at: isoTime(clock.now()) };
}

/** The receipt of a run that came back. Nothing is added to its trace from then on. */
export async function signReceipt(deps: SigningDeps, signed: SignedStart, result: RunResult): Promise<ReceiptRow> {
  const { db, clock, tracing, receipts } = deps;
  const { started_at, ...start } = signed;
  const { trace_id, status, reason, exit_code, environment, output, output_files } = result;
  if (status === 'rejected') throw new Error('A rejected run has no receipt.');
  const finished_at = isoTime(clock.now());
  await tracing.flush();
  await sealTrace(db, { trace_id, user_id: start.user_id, now_ms: clock.now() });
  // Pending writes finish before the seal, so that the digest covers the complete trace.
  await tracing.flush();
  const digest = digestOfSpans(await listSpans(db, trace_id));
  return (await receipts()).sign({
    ...start,
    output,
    output_files,
    facts: {
      started_at,
      finished_at,
      status,
      exit_code,
      trace: { trace_id, digest },
      ...environmentFacts(environment),
      ...defined({ reason: status === 'failed' && reason !== null ? reason.slice(0, MOST_REASON) : undefined }),
    },
  });
}

/** The receipt of a run that never returned: it only contains how the run started. */
export async function signInterrupted(
  { clock, receipts }: SigningDeps,
  start: RunStart,
  cut_off: Intent,
): Promise<ReceiptRow> {
  const network = start.execution_class === 'mcp' ? 'guarded' : 'none';
  return (await receipts()).sign({
    ...start,
    attempt: cut_off.attempt,
    intent_sha256: cut_off.digest,
    output: null,
    output_files: new Map(),
    facts: {
      started_at: cut_off.created_at,
      finished_at: isoTime(clock.now()),
      status: 'interrupted',
      exit_code: null,
      trace: { trace_id: NO_TRACE, digest: digestOfSpans([]) },
      ...environmentFacts({ ...NO_ENVIRONMENT, network }),
    },
  });
}

/** Runner, environment and reached hosts, in the terms of the predicate. */
function environmentFacts(ran: RunEnvironment) {
  const { isolation, engine, network, model, planner, server, hosts, resources, packages } = ran;
  const listing = server === null ? null : { name: server.listing, address_sha256: sha256(server.url) };
  return {
    model,
    planner,
    environment: {
      isolation,
      engine,
      network,
      ...defined({
        hosts: hosts === null ? undefined : hostFacts(hosts),
        resources: resources === null ? undefined : resourceFacts(resources),
      }),
    },
    ...defined({
      listing: listing ?? undefined,
      package: ran.package ?? undefined,
      packages: packages.length === 0 ? undefined : [...packages],
    }),
  };
}

const MOST_REASON = 100;
const NO_TRACE = '0'.repeat(32);

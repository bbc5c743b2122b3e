import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { sealTrace } from '#core/traces/sealed-traces.ts';
import { listSpans } from '#core/traces/spans.ts';
import { digestOfSpans } from '#core/traces/trace-answer.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { Receipts, RunBegun } from '#runtime/receipts/receipts.ts';
import { sha256 } from '#runtime/skills/skill.ts';
import type { Capability } from './capability.ts';
import type { RunResult } from './run.ts';

/** The receipt of a run that came back, whoever had it run. */

export interface ProveDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tracing: Pick<Tracing, 'flush'>;
  receipts: Pick<Receipts, 'sign'>;
}

export type BegunRun = RunBegun & { intent_sha256: string; started_at: string };

/** What a receipt names as its subject: the version and the digest of exactly what ran. */
export const subjectOf = ({ kind, ref, version, digest }: Pick<Capability, 'kind' | 'ref' | 'version' | 'digest'>) => ({
  name: `${kind}/${ref}@${version}`,
  digest: { sha256: digest.replace(/^sha256:/, '') },
});

export async function proveRun(
  { db, clock, tracing, receipts }: ProveDeps,
  { started_at, ...begun }: BegunRun,
  result: RunResult,
  { server }: Pick<Capability, 'server'> = {},
): Promise<ReceiptRow> {
  const { trace_id, status, exit_code, isolation, engine, network, model, planner, output_files } = result;
  if (status === 'rejected') throw new Error('What did not run has no receipt.');
  const finished_at = isoTime(clock.now());
  await tracing.flush();
  await sealTrace(db, { trace_id, user_id: begun.user_id, now_ms: clock.now() });
  // Saves that began before the seal end first, so that the digest is of all that the trace will ever hold.
  await tracing.flush();
  const digest = digestOfSpans(await listSpans(db, trace_id));
  return receipts.sign({
    ...begun,
    output: result.output,
    output_files,
    facts: {
      started_at,
      finished_at,
      status,
      exit_code,
      model,
      planner,
      environment: { isolation, engine, network },
      trace: { trace_id, digest },
      ...(status === 'failed' && result.reason !== null ? { reason: result.reason.slice(0, MOST_REASON) } : {}),
      ...(server === undefined ? {} : { listing: { name: server.listing, address_sha256: sha256(server.url) } }),
    },
  });
}

const MOST_REASON = 100;

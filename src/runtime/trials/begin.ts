import { ANONYMOUS_ID } from '#accounts/users/house-accounts.ts';
import { NOBODY, recordAudit } from '#core/audit/audit.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Origin } from '#core/http/operation.ts';
import { uncounted } from '#runtime/runs/caller.ts';
import type { Capability } from '#runtime/runs/capability.ts';
import { readInput } from '#runtime/tasks/read-input.ts';
import type { Task } from '#runtime/tasks/task.ts';
import { type Allowed, allowTrial } from './allow.ts';
import type { TrialsDeps } from './deps.ts';
import { queueRun } from './queue-run.ts';
import { accountRequired, trialInputTooLarge } from './refusals.ts';
import { takeTrial } from './trial-days.ts';

/** Of the input as JSON; accounts have 512 KiB. */
export const MOST_INPUT_BYTES = 32 * 1024;

interface TrialOrder {
  capability: { ref: string; version?: string | undefined };
  /** Any JSON. */
  input?: unknown;
}

interface BegunTrial {
  task: Task;
  /** The secret of its link. It is stored nowhere. */
  token: string;
  /** How many more the address may start today. */
  left: number;
}

/** Counts and queues a run for a caller without an account. Every check that needs no request to a server comes first. */
export async function beginTrial(
  deps: TrialsDeps,
  order: TrialOrder,
  { address, origin }: { address: string; origin: Origin | undefined },
): Promise<BegunTrial> {
  const { limits, tasks } = deps;
  if (limits.per_address === 0 || limits.per_day === 0)
    throw accountRequired('disabled', 'This service runs nothing without an account.');
  const input = order.input ?? null;
  const text = readInput(input);
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_INPUT_BYTES) throw trialInputTooLarge(bytes, MOST_INPUT_BYTES);
  const share: Share = { user_id: null, address };
  const { ref, version } = order.capability;
  const allowed = await allowTrial(deps, { ref, version, input }, share);
  const prepare = () => tasks.runs.prepare(allowed.ref, { ...uncounted(ANONYMOUS_ID), share }, { input });
  // What a skill needs is here; a server is asked only for a run that was counted.
  const own = allowed.tools_hash === null ? await prepare() : null;
  const left = await takeTrial(tasks.db, address, limits, tasks.clock.now());
  const capability = own ?? (await prepare());
  await refuseChanged(capability, allowed);
  const { task, token } = await queueRun(tasks, { owner: ANONYMOUS_ID, capability, input: text }, (trx, id, now) =>
    recordAudit(
      trx,
      {
        actor: NOBODY,
        action: 'trials.start',
        target: id,
        origin,
        detail: { capability: `${capability.kind}/${capability.ref}` },
      },
      now,
    ),
  );
  return { task, token, left };
}

/** A server that does not respond now leaves a run that says so. */
async function refuseChanged(capability: Capability, { tools_hash }: Allowed): Promise<void> {
  if (tools_hash === null || (await capability.whyUnavailable()) !== null) return;
  if ((await capability.toolsHash?.()) === tools_hash) return;
  throw accountRequired('tools_changed', 'The tools of the server have changed since they were last checked here.');
}

import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';

/** Whose runs are counted. */
export type TrialLevel = 'address' | 'network' | 'total';

const WHOSE: Record<TrialLevel, string> = {
  address: 'Your address has started',
  network: 'Your network has started',
  total: 'All callers without an account have started',
};

const REASONS = { address: 'address', network: 'network', total: 'total' } as const;

/** What an account adds, for everybody who reaches a limit of callers without one. */
const WITH_ACCOUNT = 'With an account, which is free, you can run every capability, more often and with larger inputs.';

export const tooManyTrials = (level: TrialLevel, most: number, wait_ms: number): Problem =>
  runtimeProblem(
    'trials.limit_exceeded',
    `${WHOSE[level]} ${most} runs today, the maximum. Try again after 00:00 UTC, or sign in. ${WITH_ACCOUNT}`,
    { reason: REASONS[level], headers: { 'retry-after': `${Math.max(1, Math.ceil(wait_ms / 1_000))}` } },
  );

export const trialQueueFull = (most: number): Problem =>
  runtimeProblem(
    'trials.limit_exceeded',
    `${most} runs without an account are waiting, the maximum. Retry in 10 s, or sign in. ${WITH_ACCOUNT}`,
    { reason: 'queue', headers: { 'retry-after': '10' } },
  );

export const trialStorageFull = (): Problem =>
  runtimeProblem(
    'trials.limit_exceeded',
    `The storage for runs without an account is full. Try again tomorrow, or sign in. ${WITH_ACCOUNT}`,
    { reason: 'storage', headers: { 'retry-after': '3600' } },
  );

type Needs = 'capability' | 'credentials' | 'disabled' | 'flagged' | 'not_probed' | 'not_read_only' | 'tools_changed';

/** `detail` says in one sentence why this needs an account. */
export const accountRequired = (reason: Needs, detail: string): Problem =>
  runtimeProblem('trials.account_required', `${detail} Sign in to run it. ${WITH_ACCOUNT}`, { reason });

export const noSuchTrial = (): Problem =>
  runtimeProblem('trials.not_found', 'No run without an account has this token. It may have expired and been deleted.');

export const trialInputTooLarge = (bytes: number, most: number): Problem =>
  runtimeProblem(
    'runs.input_invalid',
    `The input has ${bytes} bytes as JSON; without an account, it can have ${most}. Shorten it, or sign in.`,
    { reason: 'input', errors: [{ pointer: '/input', detail: `must have at most ${most} bytes as JSON` }] },
  );

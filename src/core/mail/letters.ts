import type { Clock } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { newId } from '#core/ids.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { type Mail, MailRefused, type SendMail } from './message.ts';

/** Mail to be sent: a job each, so that it survives a crash, and sealed, because letters hold links that let people in. */
export interface Letters<L> {
  /** Takes the same time whatever the letter says. Past `good_until_ms` it is no longer tried. */
  post(letter: L, good_until_ms: number): Promise<void>;
  /** For the worker. */
  kinds: Record<string, JobKind>;
}

export interface LettersOptions<L> {
  kind: string;
  jobs: JobTable;
  keys: KeyProvider;
  clock: Clock;
  log: Log;
  /** What the letter says to whom, asked just before it goes out; null where it has become needless. */
  compose: (letter: L) => Promise<Mail | null>;
  send: SendMail;
}

interface Posted {
  sealed: string;
  good_until_ms: number;
}

/** How many go out at once in one process. */
const CONCURRENCY = 4;

export function createLetters<L>(options: LettersOptions<L>): Letters<L> {
  const { kind, jobs, keys } = options;
  return {
    post: async (letter, good_until_ms) => {
      const key = newId();
      const sealed = seal(keys, JSON.stringify(letter), payloadContext(kind, key));
      await jobs.put({ kind, key, payload: { sealed, good_until_ms } satisfies Posted });
    },
    kinds: { [kind]: { handler: sender(options), concurrency: CONCURRENCY } },
  };
}

const sender =
  <L>({ kind, keys, clock, log, compose, send }: LettersOptions<L>): JobHandler =>
  async ({ job, signal }) => {
    const { sealed, good_until_ms } = job.payload as Posted;
    if (clock.now() > good_until_ms) {
      log.warn({ mail: job.key, failures: job.failures }, 'email not sent before its deadline; giving up');
      return null;
    }
    const letter = JSON.parse(unseal(keys, sealed, payloadContext(kind, job.key)).toString()) as L;
    const mail = await compose(letter);
    if (mail === null) return null;
    try {
      await send(mail, job.key, signal);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ mail: job.key, error }, 'email rejected; giving up');
    }
    return null;
  };

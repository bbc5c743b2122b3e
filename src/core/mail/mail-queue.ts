import type { Clock } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { newId } from '#core/ids.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { type Mail, MailRefused, type SendMail } from './message.ts';

/**
 * The email queue. Each email is a job, so that it survives a crash, and encrypted, because it contains sign-in links.
 */
export interface MailQueue<M> {
  /** Takes the same time whatever the email says. It is not retried after `good_until_ms`. */
  post(message: M, goodUntilMs: number): Promise<void>;
  /** Job kinds for the worker. */
  kinds: Record<string, JobKind>;
}

interface MailQueueOptions<M> {
  kind: string;
  jobs: JobTable;
  keys: KeyProvider;
  clock: Clock;
  log: Log;
  /** Renders the email just before it is sent; null if it is no longer needed. */
  compose: (message: M) => Promise<Mail | null>;
  send: SendMail;
}

interface Posted {
  sealed: string;
  good_until_ms: number;
}

/** Concurrent deliveries in one process. */
const CONCURRENCY = 4;

export function createMailQueue<M>(options: MailQueueOptions<M>): MailQueue<M> {
  const { kind, jobs, keys } = options;
  return {
    post: async (message, good_until_ms) => {
      const key = newId();
      const sealed = seal(keys, JSON.stringify(message), payloadContext(kind, key));
      await jobs.put({ kind, key, payload: { sealed, good_until_ms } satisfies Posted });
    },
    kinds: { [kind]: { handler: sender(options), concurrency: CONCURRENCY } },
  };
}

const sender =
  <M>({ kind, keys, clock, log, compose, send }: MailQueueOptions<M>): JobHandler =>
  async ({ job, signal }) => {
    const { sealed, good_until_ms } = job.payload as Posted;
    if (clock.now() > good_until_ms) {
      log.warn({ mail: job.key, failures: job.failures }, 'email not sent before its deadline; giving up');
      return null;
    }
    const message = JSON.parse(unseal(keys, sealed, payloadContext(kind, job.key)).toString()) as M;
    const mail = await compose(message);
    if (mail === null) return null;
    try {
      await send(mail, job.key, signal);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ mail: job.key, error }, 'email rejected; giving up');
    }
    return null;
  };

import type { Registry } from 'prom-client';
import type { AuthMail } from '#accounts/email/auth-mail.ts';
import type { EmailLimits } from '#accounts/email/counts.ts';
import type { NewAccounts } from '#accounts/proof-of-work/new-accounts.ts';
import type { KeyRing } from '#accounts/tokens/key-ring.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import type { Wallets } from '#accounts/wallets/wallets.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Cost } from '#core/crypto/passwords.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { OnRefused } from '#core/limits/limiter.ts';
import type { Log } from '#core/log.ts';
import type { MailQueue } from '#core/mail/mail-queue.ts';
import type { SendMail } from '#core/mail/message.ts';
import type { Outbound } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { AUTH_SETTINGS } from './settings.ts';
import type { StartSignIn } from './signed-in.ts';

/** Dependencies of authentication. */
export interface AuthOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** The service's secret keys. */
  keys: KeyProvider;
  outbound: Outbound;
  jobs: JobTable;
  sendMail: SendMail;
  limits: EmailLimits;
  /** An absolute path. */
  data_dir: string;
  /** The public URL without a trailing slash: issuer and audience of tokens, and domain of signed messages. */
  base_url: string;
  production: boolean;
  storage: StorageGate;
  metrics: { registry: Registry };
  /** Every operation of the contract. The purpose of a signature names one of them. */
  operations: readonly OperationBase[];
  /** Called with the limit's name for each request over a limit. */
  onLimited?: OnRefused;
  config: Values<typeof AUTH_SETTINGS>;
  /** Cost of password hashes; default: `core/crypto/passwords.ts`. */
  password_cost?: Cost;
}

/** Dependencies of the operations. */
export interface AuthDeps extends AuthOptions {
  mail_queue: MailQueue<AuthMail>;
  ring: KeyRing;
  tokens: Tokens;
  startSignIn: StartSignIn;
  newAccounts: NewAccounts;
  wallets: Wallets;
}

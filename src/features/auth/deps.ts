import type { Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Values } from '../../platform/config.ts';
import type { Cost } from '../../platform/crypto/passwords.ts';
import type { KeyProvider } from '../../platform/crypto/secret-keys.ts';
import type { Database } from '../../platform/db/open.ts';
import type { OperationBase } from '../../platform/http/operation.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { OnRefused } from '../../platform/limits/limiter.ts';
import type { Log } from '../../platform/log.ts';
import type { Letters } from '../../platform/mail/letters.ts';
import type { SendMail } from '../../platform/mail/message.ts';
import type { Outbound } from '../../platform/outbound.ts';
import type { StorageGate } from '../users/storage.ts';
import type { EmailLimits } from './email/counts.ts';
import type { Letter } from './email/letter.ts';
import type { NewAccounts } from './new-accounts/new-accounts.ts';
import type { AUTH_SETTINGS } from './settings.ts';
import type { StartSignIn } from './signed-in.ts';
import type { KeyRing } from './tokens/key-ring.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { Wallets } from './wallets/wallets.ts';

/** What identity is built from. */
export interface AuthOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** The service's own secret keys. */
  keys: KeyProvider;
  outbound: Outbound;
  jobs: JobTable;
  sendMail: SendMail;
  limits: EmailLimits;
  /** Absolute. */
  data_dir: string;
  /** Where clients reach the service, without a trailing slash: issuer and audience of tokens, domain of messages. */
  base_url: string;
  production: boolean;
  storage: StorageGate;
  metrics: { registry: Registry };
  /** Every operation of the contract: what a signature confirms is named by one of them. */
  operations: readonly OperationBase[];
  /** Told of each request over a limit: the limit's name. */
  onLimited?: OnRefused;
  config: Values<typeof AUTH_SETTINGS>;
  /** What hashing a password costs; as `platform/crypto/passwords.ts` has it unless it is said. */
  password_cost?: Cost;
}

/** What its operations get. */
export interface AuthDeps extends AuthOptions {
  letters: Letters<Letter>;
  ring: KeyRing;
  tokens: Tokens;
  startSignIn: StartSignIn;
  newAccounts: NewAccounts;
  wallets: Wallets;
}

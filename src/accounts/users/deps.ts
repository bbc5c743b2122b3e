import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Holding } from './holding.ts';
import type { Publisher } from './profile.ts';

/** Dependencies of the user operations. Knowledge of later wings comes as functions. */
export interface UsersDeps {
  database: Database;
  clock: Clock;
  log: Log;
  storage: StorageGate;
  /** Returns the canonical address of this wallet type. Throws a 400 if the address or the type is invalid. */
  canonicalAddress(walletType: string, text: string): string | Promise<string>;
  findPublisher(userId: string): Promise<Publisher | null>;
  /** Data that other parts of the service store for accounts. */
  holdings: readonly Holding[];
}

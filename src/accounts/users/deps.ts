import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Holding } from './holding.ts';
import type { Publisher } from './profile.ts';

/** What the operations of users are built from. What later features know of accounts comes as functions. */
export interface UsersDeps {
  database: Database;
  clock: Clock;
  log: Log;
  storage: StorageGate;
  /** The one form of an address of this type. 400 where it is none, or the type is unknown. */
  canonicalAddress(wallet_type: string, text: string): string | Promise<string>;
  findPublisher(user_id: string): Promise<Publisher | null>;
  /** What else is kept on accounts. */
  holdings: readonly Holding[];
}

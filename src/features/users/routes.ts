import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Routes } from '../../platform/http/operation.ts';
import type { Log } from '../../platform/log.ts';
import type { usersContract } from './contract.ts';

export interface UsersDeps {
  database: Database;
  clock: Clock;
  log: Log;
}

export const usersRoutes = (_deps: UsersDeps): Routes<typeof usersContract> => ({});

import type { Caller } from '../../../platform/http/caller.ts';
import { operatorsOnly } from './refusals.ts';

/** The caller's id; 403 for whoever is no operator of this service. */
export function operatorId(caller: Pick<Caller, 'user_id' | 'is_operator'> | null): string {
  if (caller === null || !caller.is_operator) throw operatorsOnly();
  return caller.user_id;
}

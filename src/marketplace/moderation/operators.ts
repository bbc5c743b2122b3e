import type { By } from '#core/audit/audit.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Origin } from '#core/http/operation.ts';
import { operatorsOnly } from './refusals.ts';

/** The caller's id; 403 for whoever is no operator of this service. */
function operatorId(caller: Pick<Caller, 'user_id' | 'is_operator'> | null): string {
  if (caller === null || !caller.is_operator) throw operatorsOnly();
  return caller.user_id;
}

interface Asking {
  caller: Pick<Caller, 'user_id' | 'is_operator'> | null;
  origin: Origin;
}

/** The same, with where the request came from. */
export const operatorBy = ({ caller, origin }: Asking): By => ({ actor: operatorId(caller), origin });

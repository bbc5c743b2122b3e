import type { By } from '#core/audit/audit.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Origin } from '#core/http/operation.ts';
import { operatorsOnly } from './refusals.ts';

/** The caller's id. Throws 403 unless the caller is an operator. */
function operatorId(caller: Pick<Caller, 'user_id' | 'is_operator'> | null): string {
  if (caller === null || !caller.is_operator) throw operatorsOnly();
  return caller.user_id;
}

interface Asking {
  caller: Pick<Caller, 'user_id' | 'is_operator'> | null;
  origin: Origin;
}

/** The operator with the origin of the request. */
export const operatorBy = ({ caller, origin }: Asking): By => ({ actor: operatorId(caller), origin });

import type { Operation } from './operation.ts';
import type { Purpose } from './sign-in.ts';

/** The purpose of a wallet signature for one call. `input` has the body of the call as `body`. */
export function purposeFor({ id, signs }: Operation, target: string, input: Record<string, unknown>): Purpose {
  const purpose = { operation: id, target };
  if (signs.length === 0) return purpose;
  const body = (input.body ?? {}) as Record<string, unknown>;
  const fields = Object.fromEntries(signs.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  return { ...purpose, fields };
}

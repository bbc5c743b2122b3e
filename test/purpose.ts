import { type AskedPurpose, isSigned } from '#accounts/wallets/purpose.ts';
import { OPERATIONS } from '#app/contract.ts';
import { pathMatcher } from '#core/http/path.ts';

/**
 * What a challenge for this request is asked for: `DELETE /api/users/…`. `body` is that of the request; default: the example of the
 * operation.
 */
export function purposeFor(request: string, body?: Record<string, unknown>): AskedPurpose {
  const [method, path = ''] = request.split(' ');
  const operation = OPERATIONS.find(
    (operation) =>
      operation.method === method && isSigned(operation) && pathMatcher(operation, operation.path)(path) !== null,
  );
  if (operation === undefined) throw new Error(`no operation that is signed for at ${request}`);
  const { id, signs, body_example } = operation;
  if (signs === undefined || signs.length === 0) return { operation: id, target: path };
  const given = body ?? (body_example as Record<string, unknown>);
  const fields = Object.fromEntries(signs.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  return { operation: id, target: path, fields };
}

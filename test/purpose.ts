import type { AskedPurpose } from '#accounts/wallets/purpose.ts';
import { OPERATIONS } from '#app/contract.ts';
import { pathMatcher } from '#core/http/path.ts';

/** What a challenge for this request is asked for: `DELETE /api/users/…`. */
export function purposeFor(request: string): AskedPurpose {
  const [method, path = ''] = request.split(' ');
  const operation = OPERATIONS.find(
    (operation) =>
      operation.method === method &&
      ['sensitive', 'fresh'].includes(operation.access) &&
      pathMatcher(operation, operation.path)(path) !== null,
  );
  if (operation === undefined) throw new Error(`no operation that is signed for at ${request}`);
  return { operation: operation.id, target: path };
}

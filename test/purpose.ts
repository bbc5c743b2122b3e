import type { AskedPurpose } from '#accounts/wallets/purpose.ts';
import { OPERATIONS } from '#app/contract.ts';
import { pathMatcher } from '#core/http/path.ts';

/** What a challenge for this request is asked for: `DELETE /api/users/…`. */
export function purposeFor(request: string): AskedPurpose {
  const [method, path = ''] = request.split(' ');
  const operation = OPERATIONS.find(
    (it) =>
      it.method === method && ['sensitive', 'fresh'].includes(it.access) && pathMatcher(it, it.path)(path) !== null,
  );
  if (operation === undefined) throw new Error(`no operation that is signed for at ${request}`);
  return { operation: operation.id, target: path };
}

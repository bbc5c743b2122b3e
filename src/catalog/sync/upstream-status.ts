import { Problem } from '#core/problem/problem.ts';

/** The provider's HTTP status from an error that `Get` threw; null if it did not respond. */
export function upstreamStatus(error: unknown): number | null {
  if (!(error instanceof Problem)) return null;
  const status = error.extensions.upstream_status;
  return typeof status === 'number' ? status : null;
}

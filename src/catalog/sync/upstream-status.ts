import { Problem } from '#core/problem/problem.ts';

/** The HTTP status that a provider answered with, out of what `Get` threw; null where there was no answer. */
export const upstreamStatus = (error: unknown): number | null => {
  if (!(error instanceof Problem)) return null;
  const status = error.extensions.upstream_status;
  return typeof status === 'number' ? status : null;
};

/** Whether a capability can be run, as lists show it and searches filter by it. */

/** The closest to running first. */
export const AVAILABILITIES = [
  'runs',
  'untried',
  'sign_in',
  'settings',
  'key',
  'model',
  'install',
  'silent',
  'unknown',
] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export const AVAILABILITY_DESCRIPTION =
  '`runs`: it ran here, or its server answered the last probe. `untried`: by its listing it needs nothing of you, and it was not ' +
  'tried here. `sign_in`: it requires authorization. `settings`: it requires values that you provide. `key`: a secret is among them. ' +
  '`model`: it needs a language model, and this service has none. `install`: it cannot run here. `silent`: its server did not answer the last probe. ' +
  '`unknown`: its listing does not say how it is run.';

/** Null for a reason that says nothing, such as that of a server that was not probed. */
export const byReason = (reason: string | null): Availability | null =>
  reason === null ? null : (BY_REASON[reason] ?? null);

const BY_REASON: Readonly<Record<string, Availability>> = {
  ok: 'runs',
  auth_needed: 'sign_in',
  missing_env: 'settings',
  failed: 'silent',
  not_mcp: 'silent',
  unreachable: 'silent',
  unsupported: 'install',
};

export const closest = (all: readonly Availability[]): Availability =>
  all.reduce((best, one) => (AVAILABILITIES.indexOf(one) < AVAILABILITIES.indexOf(best) ? one : best), 'unknown');

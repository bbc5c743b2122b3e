import type { Member } from '#catalog/identity/capabilities.ts';
import { launchesOf } from '#catalog/install/launches.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import { serverChoices } from '#catalog/install/server-choices.ts';
import { serverOf } from '#catalog/install/server-of.ts';
import { type Availability, byReason, closest } from '#catalog/items/availability.ts';
import { LEVELS, type Level } from '#catalog/items/verification.ts';

/** Whether a capability can be run, by its level, its last probe and what its listings declare. Pure. */

interface Known {
  listing_type: string;
  execution_class: string;
  level: Level;
  /** Whether this service has a language model. */
  has_model: boolean;
}

type Listed = Pick<Member, 'install' | 'probe_reason'>;

export function availabilityOf(
  members: readonly Listed[],
  { listing_type, execution_class, level, has_model }: Known,
): Availability {
  const hasRun = LEVELS.indexOf(level) >= LEVELS.indexOf('ran');
  if (needsModel(listing_type, execution_class) && !has_model) return 'model';
  if (execution_class !== 'mcp' || members.length === 0) return hasRun ? 'runs' : 'untried';
  const found = closest(members.map(serverState));
  return found === 'untried' && hasRun ? 'runs' : found;
}

/** A model runs every harness, and skills that are text. */
const needsModel = (listingType: string, executionClass: string): boolean =>
  listingType === 'harness' || (listingType === 'skill' && executionClass === 'prompt');

function serverState({ install: stored, probe_reason }: Listed): Availability {
  const install = stored === null ? null : (JSON.parse(stored) as Record<string, unknown>);
  const places = launchesOf(install).length + remotesOf(install).length;
  if (places === 0 && probe_reason === null) return 'unknown';
  const server = serverOf(install, () => null);
  const declared = 'reason' in server ? byReason(server.reason) : null;
  // Required values stay required, whatever a start without them showed.
  const state =
    (declared === 'settings' && probe_reason === 'ok' ? declared : byReason(probe_reason)) ?? declared ?? 'untried';
  return (state === 'sign_in' || state === 'settings') && takesSecret(install) ? 'key' : state;
}

const takesSecret = (install: Record<string, unknown> | null): boolean =>
  serverChoices(install)[0]?.inputs.some(({ required, secret }) => required && secret) ?? false;

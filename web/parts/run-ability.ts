import { readRef, tryPath } from './capability-ref.ts';
import type { IconName } from './icon.ts';
import { baseOf, inputsOf, type Known, refOf } from './known.ts';
import { isProved } from './levels.ts';
import type { RunState } from './state.ts';

/** Whether a listing can be run, from evidence, and the one thing to do next. */

/** A model runs every harness, and skills that are text. */
export const needsModel = ({ listing_type, execution_class }: Record<'listing_type' | 'execution_class', string>) =>
  listing_type === 'harness' || (listing_type === 'skill' && execution_class === 'prompt');

/** Null if nothing is known: then the page says so instead of guessing. */
export function runStateOf(known: Known): RunState | null {
  const { item, has_model } = known;
  const { execution_class, verification, listing_type } = baseOf(known);
  if (needsModel({ listing_type, execution_class }) && !has_model) return { name: 'model', words: 'Needs a model' };
  const hasRun = verification !== null && isProved(verification.level);
  const reason = item?.runnable.reason ?? null;
  if (reason !== null && (item?.execution_class === 'mcp' || !hasRun)) return stateFor(reason, known);
  return hasRun ? { name: 'runs', words: 'Runs now' } : null;
}

type Reason = NonNullable<NonNullable<Known['item']>['runnable']['reason']>;

function stateFor(reason: Reason, known: Known): RunState | null {
  if (reason === 'ok') return { name: 'runs', words: 'Runs now' };
  if (reason === 'auth_needed' && !needsSecret(known)) return { name: 'sign-in', words: 'Needs sign-in' };
  if (reason === 'auth_needed' || reason === 'missing_env')
    return { name: 'key', words: needsSecret(known) ? 'Needs a key' : 'Needs your settings' };
  if (reason === 'failed' || reason === 'not_mcp' || reason === 'unreachable')
    return { name: 'silent', words: 'Not answering' };
  if (reason === 'unsupported' && hasInstall(known)) return { name: 'install', words: 'Install only' };
  return null;
}

const needsSecret = (known: Known): boolean => inputsOf(known).some(({ required, secret }) => required && secret);

/** The reason without what only operators can change. */
export const plainReason = ({ item }: Known): string =>
  (item?.runnable.detail ?? '')
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !/\bCAPSTAN_/.test(sentence))
    .join(' ');

export const hasInstall = ({ item, version }: Known): boolean =>
  version !== null || (item !== null && (item.installs.command !== '' || item.installs.clients.length > 0));

/** Whether a call without a connection may succeed: nothing of the reader is needed, and it was not found to fail. */
export const mayTry = (known: Known): boolean =>
  refOf(known) !== null && TRIED.includes(known.item?.runnable.reason ?? null);

const TRIED: readonly (Reason | null)[] = [null, 'ok', 'startable'];

/** Whether its server can be asked for an answer now: one at an address that needs no values. */
export function mayProbe({ item, has_probes }: Known): boolean {
  const [first] = item?.servers ?? [];
  if (!has_probes || item?.execution_class !== 'mcp' || first === undefined || first.package !== null) return false;
  return item.runnable.checked_at !== null || item.runnable.reason === null;
}

interface Action {
  words: string;
  href: string;
  shape: IconName;
}

/** Reasons for which a connection may help, because its owner signs in, sets values or grants hosts. */
const CONNECTED: readonly (Reason | null)[] = [null, 'ok', 'startable', 'auth_needed', 'missing_env', 'wants_network'];

/** Never an action that is known to fail. */
export function actionOf(known: Known): Action {
  const { item, path } = known;
  const state = runStateOf(known);
  const ref = refOf(known);
  if (item?.listing_type === 'server' && item.servers.length > 0 && CONNECTED.includes(item.runnable.reason))
    return { words: 'Connect', href: connectPath(item), shape: 'plug' };
  const parsed = ref === null ? null : readRef(ref);
  if (parsed !== null && item?.listing_type !== 'server' && state?.name !== 'model')
    return { words: 'Run', href: tryPath(parsed), shape: 'play' };
  if (hasInstall(known)) return { words: 'Add to a client', href: `${path}?tab=install`, shape: 'download' };
  return { words: 'See what it needs', href: `${path}?tab=needs`, shape: 'list-checks' };
}

const connectPath = (item: NonNullable<Known['item']>): string =>
  `/dashboard/connections?listing=${encodeURIComponent(placeOf(item))}`;

const placeOf = ({ provider_id, external_id }: NonNullable<Known['item']>): string => `${provider_id}/${external_id}`;

/**
 * The fields of a form that connects without another question; null if the server is started from a package or takes
 * values, which a form of their own asks for.
 */
export function connectFields({ item }: Known): Record<string, string> | null {
  const [first] = item?.servers ?? [];
  if (item === null || first === undefined || first.package !== null || first.inputs.length > 0) return null;
  return { do: 'connect', at_once: 'yes', place: placeOf(item), remote: `${first.remote ?? 0}` };
}

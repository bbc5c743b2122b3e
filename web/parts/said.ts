import type { CapstanError } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { errorLink } from './error-link.ts';
import { cut } from './words.ts';

/** What came of a form, at the head of the page that it stands on. */
export type Said = { done: DoneName } | { failed: CapstanError };

export type DoneName = keyof typeof DONE;

/** By name in the address, so that nobody can write words of their own on our pages. */
const DONE = {
  task_cancelled: 'The task is cancelled.',
  task_answered: 'Your answer is in, and the task goes on.',
  task_started: 'The task is queued.',
  connection_made: 'The connection is made.',
  connection_deleted: 'The connection and all that was stored for it are gone.',
  connection_signed_in: 'Signed in to the server.',
  credentials_stored: 'The credentials are stored. They are not shown again.',
  tool_accepted: 'The tool is accepted as it is now.',
  rig_stored: 'The rig is stored.',
  rig_corrected: 'Rig saved. Lock it before it runs.',
  rig_deleted: 'Rig deleted.',
  rig_version_deleted: 'Version deleted.',
  rig_locked: 'The rig is locked to what its parts are now.',
  device_forgotten: 'Device removed.',
  session_ended: 'The session is ended.',
  sessions_ended: 'All other sessions are ended.',
  signed_out: 'You are signed out.',
  account_deleted: 'The account and everything held on it are deleted.',
  email_confirmed: 'Your address is confirmed. It signs you in from now on.',
  password_chosen: 'The new password stands. Sign in with it.',
  password_changed: 'The new password stands. All other sessions are ended.',
} as const;

/** Where a code, or one of its reasons, needs more than its own words: what to do next, here. */
const NEXT: Record<string, Html> = {
  'auth.wallet_required': html`<a href="/dashboard/account#wallets">Link a wallet</a>`,
  'auth.wallet_required not_linked': html`Choose the account in your wallet that is linked here, or <a href="/dashboard/account#wallets">link this one</a>.`,
  'auth.signature_required': html`Your wallet is asked by a script: let this site run scripts, and try again.`,
  'auth.sign_in_required recent': html`<a href="/signin?again=1&amp;to=/dashboard/account">Sign in again</a>`,
  'users.proof_required': html`This page does the proof of work now: try again in a few seconds. It needs scripts. Or <a href="/dashboard/account">add an email address</a>.`,
  'auth.limit_exceeded failed_logins': html`<a href="/signin/link">Email me a sign-in link</a>`,
  'connections.authorization_required': html`<a href="#sign-in">Repair it</a>`,
};

/** What the address says was done; null for words that are none of ours. */
export function doneIn(query: URLSearchParams): Said | null {
  const name = query.get('done') ?? '';
  return Object.hasOwn(DONE, name) ? { done: name as DoneName } : null;
}

export function saidBlock(said: Said | null): Html | null {
  if (said === null) return null;
  return 'done' in said ? html`<p class="said" role="status">${DONE[said.done]}</p>` : failure(said.failed);
}

type Facts = Pick<CapstanError, 'detail' | 'code' | 'errors'> & { reason?: string | null };

export const failure = ({ detail, code, reason, errors }: Facts): Html =>
  html`<div class="said bad" role="alert"><p dir="auto">${cut(detail, 600)} ${NEXT[`${code} ${reason}`] ?? NEXT[code]}</p>
${errors.length > 0 && html`<ul>${errors.slice(0, 20).map((error) => html`<li><code>${error.pointer}</code> ${cut(error.detail, 300)}</li>`)}</ul>`}
${!code.startsWith('sdk.') && html`<p class="fine">${errorLink({ code, reason })}</p>`}</div>`;

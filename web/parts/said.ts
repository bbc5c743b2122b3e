import type { CapstanError } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { errorLink } from './error-link.ts';
import { icon } from './icon.ts';
import { cut } from './words.ts';

/** The result of a form, shown at the top of the page. */
export type Said = { done: DoneName } | { failed: CapstanError };

export type DoneName = keyof typeof DONE;

/** Messages by the name in the address, so that a link cannot put arbitrary text on our pages. */
const DONE = {
  task_deleted: 'Run deleted. Its receipt stays.',
  task_cancelled: 'Run cancelled.',
  task_answered: 'Answer submitted. The run continues.',
  task_started: 'Run queued.',
  connection_made: 'Connection created.',
  tools_not_offered: 'Connection created. Its tools could not be added to your endpoint. Choose them on its page.',
  connection_renamed: 'Connection renamed.',
  connection_checked: 'The server answered.',
  hosts_saved: 'Hosts saved. The server was restarted.',
  connection_deleted: 'Connection and its credentials deleted.',
  skill_saved: 'Settings of the skill saved.',
  connection_signed_in: 'Signed in to the server.',
  connection_other_account:
    'Signed in to the server with another account than before. Whatever uses this connection acts as that account now.',
  credentials_stored: 'Credentials saved. They will not be shown again.',
  tool_accepted: 'Tool accepted.',
  tools_accepted: 'Changes accepted. The tools can be called.',
  endpoint_saved: 'Tools saved. Clients see them within a minute.',
  endpoint_deleted: 'Endpoint deleted. Its token has been revoked.',
  rig_stored: 'Rig stored.',
  rig_corrected: 'Rig saved. Lock it before it runs.',
  rig_deleted: 'Rig deleted.',
  rig_version_deleted: 'Version deleted.',
  rig_locked: 'Rig locked to the current versions of its parts.',
  workflow_trusted: 'The workflow can publish new versions now.',
  workflow_removed: 'The workflow can no longer publish.',
  versions_changed: 'Versions changed.',
  listing_unpublished: 'Listing unpublished. You keep its name.',
  device_forgotten: 'Device removed.',
  device_rejected: 'Device rejected. If you did not request it, change your password.',
  session_ended: 'Session ended.',
  sessions_ended: 'All other sessions ended.',
  sync_ordered: 'Sync requested. It starts within seconds.',
  account_suspended: 'Account suspended.',
  account_resumed: 'Suspension ended.',
  tier_changed: 'Tier changed.',
  access_revoked: 'All sessions ended and all API keys deleted.',
  featured: 'Featured. The list updates within seconds.',
  unfeatured: 'Removed from the featured listings.',
  collection_saved: 'Collection saved.',
  collection_removed: 'Collection removed.',
  case_decided: 'Decision saved. It is in the public history and the audit log.',
  signed_out: 'You are signed out.',
  account_deleted: 'Account deleted, with everything stored in it.',
  email_confirmed: 'Email address confirmed. You can sign in with it now.',
  password_chosen: 'Password changed. Sign in with your new password.',
  password_changed: 'Password changed. All other sessions were signed out.',
} as const;

/** The next step on our pages, for error codes or reasons that have one. */
const NEXT: Record<string, Html> = {
  'auth.wallet_required': html`<a href="/dashboard/account#devices">Add this device</a> or <a href="/dashboard/account#wallets">link a wallet</a>.`,
  'auth.wallet_required not_linked': html`In your wallet, choose the account that is linked here, <a href="/dashboard/account#devices">add this device</a>, or <a href="/dashboard/account#wallets">link the wallet</a>.`,
  'auth.signature_required': html`Wallet signatures need JavaScript. Enable it for this site and try again.`,
  'auth.sign_in_required recent': html`<a href="/signin?again=1&amp;to=/dashboard/account">Sign in again</a>`,
  'users.proof_required': html`This page is computing the proof of work (it needs JavaScript). Try again in a few seconds, or <a href="/dashboard/account">add an email address</a>.`,
  'auth.limit_exceeded failed_logins': html`<a href="/signin/link">Email me a sign-in link</a>`,
  'connections.authorization_required': html`<a href="#sign-in">Repair the connection</a>`,
};

/** The message for the name in the address; null for unknown names. */
export function doneIn(query: URLSearchParams): Said | null {
  const name = query.get('done') ?? '';
  return Object.hasOwn(DONE, name) ? { done: name as DoneName } : null;
}

export function saidBlock(said: Said | null): Html | null {
  if (said === null) return null;
  return 'done' in said
    ? html`<p class="said" role="status">${icon('circle-check')}${DONE[said.done]}</p>`
    : failure(said.failed);
}

type Facts = Pick<CapstanError, 'detail' | 'code' | 'errors'> & { reason?: string | null };

/** An error of a field that is the whole message is said once. */
export function failure({ detail, code, reason, errors: all }: Facts): Html {
  const errors = all.filter((error) => error.detail !== detail);
  return html`<div class="said bad" role="alert"><p dir="auto">${cut(detail, 600)} ${NEXT[`${code} ${reason}`] ?? NEXT[code]}</p>
${errors.length > 0 && html`<ul>${errors.slice(0, 20).map((error) => html`<li>${faultWords(error)}</li>`)}</ul>`}
${!code.startsWith('sdk.') && html`<p class="fine">${errorLink({ code, reason })}</p>`}</div>`;
}

/** A finding in a file as `path:line:column: error rule: detail`. */
const FINDING = /^([^:\n]{1,200}):(\d{1,9}):\d{1,9}: (?:error|warning) [\w-]{1,64}: (?=\S)/;

/** Where it is in words: a line of a file, or else the field. */
function faultWords({ pointer, detail }: { pointer: string; detail: string }): Html {
  const [whole = '', path = '', line = ''] = FINDING.exec(detail) ?? [];
  if (whole === '') return html`<code>${pointer}</code> ${cut(detail, 300)}`;
  return html`<code>${path}</code>, line ${line}: ${cut(detail.slice(whole.length), 300)}`;
}

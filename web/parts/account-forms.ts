import { type Purpose, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { signedForm } from './signed-form.ts';

/** The forms of the account page. A linked wallet signs each change; without one, a recent sign-in is enough. */

export const lookForm = (
  user_id: string,
  display_name: string,
): Html => html`<section aria-labelledby="profile"><h2 id="profile">Profile</h2>
${signedForm({ name: 'look', button: 'Show my profile', look: 'plain', confirms: purposeOf('accounts.users.get', { id: user_id }) })}
${signedForm({
  name: 'rename',
  button: 'Change name',
  look: 'plain',
  confirms: purposeOf('accounts.users.update', { id: user_id }),
  states: { display_name: 'display_name' },
  fields: html`<label>Display name<input name="display_name" required maxlength="80" value="${display_name}" autocomplete="nickname"></label>`,
})}</section>`;

interface Ways {
  has_wallet: boolean;
  has_google: boolean;
}

interface Fresh {
  name: string;
  button: string;
  confirms: Purpose;
  states?: Record<string, string>;
  fields?: Value;
}

export function waysIn({ has_wallet, has_google }: Ways): Html {
  const fresh = (fresh: Fresh): Html => (has_wallet ? signedForm({ ...fresh, look: 'plain' }) : unsignedForm(fresh));
  return html`<section aria-labelledby="wallets"><h2 id="wallets">Sign-in methods</h2>
<p>Each method signs you in to this account. ${!has_wallet && 'To change them, sign in again if your last sign-in is more than ten minutes old.'}</p>
<details${!has_wallet && html` open`}><summary>Link a wallet</summary>
<p>The new wallet signs to prove that it is yours${has_wallet && '. Then a wallet that is already linked confirms it'}.</p>
${signedForm({ name: 'link_wallet', button: 'Link wallet', look: 'plain', confirms: purposeOf('accounts.wallets.link', {}), signatures: has_wallet ? 'proof step' : 'proof' })}</details>
<details><summary>Link an email address</summary>
${fresh({
  name: 'link_email',
  button: 'Send link',
  confirms: purposeOf('accounts.email.link', {}),
  states: { email: 'email' },
  fields: html`<label>Email address<input name="email" type="email" required maxlength="254" autocomplete="username"></label>
<label>Password (at least 8 characters)<input name="password" type="password" required minlength="8" maxlength="256" autocomplete="new-password"></label>`,
})}</details>
<details><summary>Change password</summary>
${fresh({
  name: 'password',
  button: 'Change password',
  confirms: purposeOf('accounts.email.changePassword', {}),
  fields: html`<label>Current password<input name="current" type="password" required maxlength="256" autocomplete="current-password"></label>
<label>New password (at least 8 characters)<input name="new" type="password" required minlength="8" maxlength="256" autocomplete="new-password"></label>`,
})}</details>
<details><summary>Remove email address</summary><p>You can no longer sign in with the address and its password.</p>${fresh({ name: 'unlink_email', button: 'Remove email address', confirms: purposeOf('accounts.email.unlink', {}) })}</details>
${
  has_google &&
  html`<details><summary>Google</summary><div class="ways">${fresh({ name: 'link_google', button: 'Link Google account', confirms: purposeOf('accounts.google.link', {}) })}${fresh({ name: 'unlink_google', button: 'Unlink Google account', confirms: purposeOf('accounts.google.unlink', {}) })}</div></details>`
}</section>`;
}

const unsignedForm = ({ name, button, fields }: Fresh): Html =>
  html`<form method="post" class="stack"><input type="hidden" name="do" value="${name}">${fields}<div><button type="submit" class="button plain">${button}</button></div></form>`;

export const exportForm = (user_id: string): Html => html`<section aria-labelledby="export"><h2 id="export">Export</h2>
<p>Download everything we store about your account as one JSON file, without passwords and keys.</p>
${signedForm({ name: 'export', button: 'Download', look: 'plain', confirms: purposeOf('accounts.users.export', { id: user_id }) })}</section>`;

export const deleteForm = (
  user_id: string,
  typed: string,
): Html => html`<section aria-labelledby="delete"><h2 id="delete">Delete account</h2>
<p>Deletes your account with its sign-in methods, sessions, keys, connections, harnesses, rigs and tasks. This cannot be undone.</p>
${signedForm({
  name: 'delete',
  button: 'Delete account',
  look: 'danger',
  confirms: purposeOf('accounts.users.delete', { id: user_id }),
  fields: html`<label><span>Type <strong>${typed}</strong></span><input name="typed" required pattern="${typed}" autocomplete="off" spellcheck="false"></label>`,
})}</section>`;

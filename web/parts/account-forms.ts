import { type Purpose, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { signedForm } from './signed-form.ts';

/** What can be done with one's account. A wallet of it signs; where it has none, a sign-in of the last minutes does. */

export const lookForm = (
  user_id: string,
  display_name: string,
): Html => html`<section aria-labelledby="profile"><h2 id="profile">Profile</h2>
${signedForm({ name: 'look', button: 'Show my profile', look: 'plain', confirms: purposeOf('accounts.users.get', { id: user_id }) })}
${signedForm({
  name: 'rename',
  button: 'Change the name',
  look: 'plain',
  confirms: purposeOf('accounts.users.update', { id: user_id }),
  fields: html`<label>Name that others see<input name="display_name" required maxlength="80" value="${display_name}" autocomplete="nickname"></label>`,
})}</section>`;

interface Ways {
  has_wallet: boolean;
  has_google: boolean;
}

interface Fresh {
  name: string;
  button: string;
  confirms: Purpose;
  fields?: Value;
}

export function waysIn({ has_wallet, has_google }: Ways): Html {
  const fresh = (fresh: Fresh): Html => (has_wallet ? signedForm({ ...fresh, look: 'plain' }) : unsignedForm(fresh));
  return html`<section aria-labelledby="wallets"><h2 id="wallets">Ways in</h2>
<p>Every way leads into the same account. ${!has_wallet && 'Changes here want a sign-in of the last ten minutes.'}</p>
<details${!has_wallet && html` open`}><summary>Link a wallet</summary>
<p>The wallet signs that it is yours${has_wallet && '; then one that is linked already confirms it'}.</p>
${signedForm({ name: 'link_wallet', button: 'Link a wallet', look: 'plain', confirms: purposeOf('accounts.wallets.link', {}), signatures: has_wallet ? 'proof step' : 'proof' })}</details>
<details><summary>Link an email address</summary>
${fresh({
  name: 'link_email',
  button: 'Send the letter',
  confirms: purposeOf('accounts.email.link', {}),
  fields: html`<label>Email address<input name="email" type="email" required maxlength="254" autocomplete="username"></label>
<label>Password, of at least 8 characters<input name="password" type="password" required minlength="8" maxlength="256" autocomplete="new-password"></label>`,
})}</details>
<details><summary>Change the password</summary>
${fresh({
  name: 'password',
  button: 'Change it',
  confirms: purposeOf('accounts.email.changePassword', {}),
  fields: html`<label>Present password<input name="current" type="password" required maxlength="256" autocomplete="current-password"></label>
<label>New password, of at least 8 characters<input name="new" type="password" required minlength="8" maxlength="256" autocomplete="new-password"></label>`,
})}</details>
<details><summary>Take the email address off</summary><p>The address and its password sign in no more.</p>${fresh({ name: 'unlink_email', button: 'Take it off', confirms: purposeOf('accounts.email.unlink', {}) })}</details>
${
  has_google &&
  html`<details><summary>Google</summary><div class="ways">${fresh({ name: 'link_google', button: 'Link a Google account', confirms: purposeOf('accounts.google.link', {}) })}${fresh({ name: 'unlink_google', button: 'Take it off', confirms: purposeOf('accounts.google.unlink', {}) })}</div></details>`
}</section>`;
}

const unsignedForm = ({ name, button, fields }: Fresh): Html =>
  html`<form method="post" class="stack"><input type="hidden" name="do" value="${name}">${fields}<div><button type="submit" class="button plain">${button}</button></div></form>`;

export const exportForm = (user_id: string): Html => html`<section aria-labelledby="export"><h2 id="export">Export</h2>
<p>Everything that is held on the account, as one JSON file. Passwords and keys are not in it.</p>
${signedForm({ name: 'export', button: 'Save the file', look: 'plain', confirms: purposeOf('accounts.users.export', { id: user_id }) })}</section>`;

export const deleteForm = (
  user_id: string,
  typed: string,
): Html => html`<section aria-labelledby="delete"><h2 id="delete">Delete the account</h2>
<p>With everything held on it: ways in, sessions, keys, connections, harnesses, rigs, tasks. This cannot be undone.</p>
${signedForm({
  name: 'delete',
  button: 'Delete the account',
  look: 'plain danger',
  confirms: purposeOf('accounts.users.delete', { id: user_id }),
  fields: html`<label><span>Write <strong>${typed}</strong></span><input name="typed" required pattern="${typed}" autocomplete="off" spellcheck="false"></label>`,
})}</section>`;

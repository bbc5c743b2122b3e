import { type Connection, type ConnectionField, type Purpose, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { NO_WALLET, SIGN_NOTE, signedForm } from './signed-form.ts';
import { cut } from './words.ts';

/** What a server is signed in to with, where that is no OAuth. A wallet signs that it is stored; nothing shows it again. */

export function credentialForms(connection: Connection, has_wallet: boolean): Html {
  const confirms = purposeOf('connections.credentials.store', { id: connection.id });
  const listed = [...connection.auth.required, ...connection.auth.optional].filter(({ secret }) => secret);
  return html`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>Sent to the server of this connection and never shown again. They take the place of what is stored now${connection.auth.type === 'oauth' && ', the sign-in included'}.</p>
${has_wallet ? html`${SIGN_NOTE}${listed.length > 0 && listedForm(listed, confirms)}${forms(confirms)}` : NO_WALLET}</section>`;
}

/** By the names that the listing has. */
const listedForm = (
  fields: readonly ConnectionField[],
  confirms: Purpose,
): Html => html`<details open><summary>What the listing asks for</summary>
${signedForm({
  name: 'credentials',
  button: 'Store them',
  confirms,
  fields: html`${type('variables')}${fields.map(
    ({
      name,
      description,
      required,
    }) => html`<label><code>${cut(name, 80)}</code> <span class="label" dir="auto">${cut(description, 200)}</span>
<input type="password" name="variable.${name}" autocomplete="off"${required && html` required`}></label>`,
  )}`,
})}</details>`;

const type = (name: string): Html => html`<input type="hidden" name="type" value="${name}">`;

const secret = (label: string, name: string): Html =>
  html`<label>${label}<input type="password" name="${name}" required autocomplete="off" maxlength="8192"></label>`;

const forms = (confirms: Purpose): Html => html`<details><summary>A token</summary>
${signedForm({
  name: 'credentials',
  button: 'Store the token',
  confirms,
  fields: html`${type('bearer')}${secret('Token, sent as a bearer', 'token')}`,
})}</details>
<details><summary>A header</summary>
${signedForm({
  name: 'credentials',
  button: 'Store the header',
  confirms,
  fields: html`${type('header')}<label>Name of the header<input name="header" required maxlength="100" placeholder="X-Api-Key" autocomplete="off" spellcheck="false"></label>${secret('Its value', 'value')}`,
})}</details>
<details><summary>Name and password</summary>
${signedForm({
  name: 'credentials',
  button: 'Store them',
  confirms,
  fields: html`${type('basic')}<label>Name<input name="username" required maxlength="1024" autocomplete="off" spellcheck="false"></label>${secret('Password', 'password')}`,
})}</details>`;

/** The body of the operation, by the type that the form names; which types there are the service knows. */
export function credentialsIn(form: URLSearchParams): Record<string, unknown> & { type: string } {
  const of = (name: string): string => form.get(name) ?? '';
  const kind = of('type');
  if (kind === 'bearer') return { type: kind, token: of('token') };
  if (kind === 'header') return { type: kind, headers: { [of('header')]: of('value') } };
  if (kind === 'basic') return { type: kind, username: of('username'), password: of('password') };
  const given = [...form].filter(([name, value]) => name.startsWith('variable.') && value !== '');
  const variables = Object.fromEntries(given.map(([name, value]) => [name.slice('variable.'.length), value]));
  return { type: kind, variables };
}

import { type Connection, type ConnectionField, type Purpose, purposeOf } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { NO_WALLET, SIGN_NOTE, signedForm } from './signed-form.ts';
import { cut } from './words.ts';

/** Forms for credentials other than OAuth. A wallet signs the request to store them; they are never shown again. */

export function credentialForms(connection: Connection, has_wallet: boolean): Html {
  const confirms = purposeOf('connections.credentials.store', { id: connection.id });
  const listed = [...connection.auth.required, ...connection.auth.optional].filter(({ secret }) => secret);
  return html`<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<p>Sent only to the server of this connection and never shown again. They replace the stored credentials${connection.auth.type === 'oauth' && ', including the sign-in'}.</p>
${has_wallet ? html`${SIGN_NOTE}${listed.length > 0 && listedForm(listed, confirms)}${forms(confirms)}` : NO_WALLET}</section>`;
}

/** Fields with the names from the listing. */
const listedForm = (
  fields: readonly ConnectionField[],
  confirms: Purpose,
): Html => html`<details open><summary>Values that the listing requires</summary>
${signedForm({
  name: 'credentials',
  button: 'Save',
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

const forms = (confirms: Purpose): Html => html`<details><summary>Bearer token</summary>
${signedForm({
  name: 'credentials',
  button: 'Save token',
  confirms,
  fields: html`${type('bearer')}${secret('Token', 'token')}`,
})}</details>
<details><summary>A header</summary>
${signedForm({
  name: 'credentials',
  button: 'Save header',
  confirms,
  fields: html`${type('header')}<label>Header name<input name="header" required maxlength="100" placeholder="X-Api-Key" autocomplete="off" spellcheck="false"></label>${secret('Header value', 'value')}`,
})}</details>
<details><summary>Username and password</summary>
${signedForm({
  name: 'credentials',
  button: 'Save',
  confirms,
  fields: html`${type('basic')}<label>Username<input name="username" required maxlength="1024" autocomplete="off" spellcheck="false"></label>${secret('Password', 'password')}`,
})}</details>`;

/** The request body for the type that the form names. The service validates the type. */
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

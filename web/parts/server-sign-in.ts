import { CapstanError, type Connection, type Operations } from '../../sdk/src/index.ts';
import { html } from '../server/html.ts';
import type { View, Visit } from '../server/page.ts';
import { onward } from './onward.ts';
import type { Said } from './said.ts';
import { cut } from './words.ts';

/** The sign-in of a connection at its server, from a page of ours and back to one. */

/** The callback redirects to `return_to`; its cookie binds the sign-in to this browser. */
export async function toServer(
  { capstan, headers }: Pick<Visit, 'capstan' | 'headers'>,
  { id }: Pick<Connection, 'id'>,
  return_to: string,
): Promise<View> {
  const more = headers.cookie === undefined ? {} : { headers: { cookie: `${headers.cookie}` } };
  const { body, headers: sent } = await capstan.call(
    'connections.authorization.start',
    { id, body: { return_to } },
    more,
  );
  return consent(body, sent.getSetCookie());
}

/**
 * Shown before the browser leaves: which server receives a token, from which issuer, with which scopes. Nobody is asked
 * again for what they allowed before.
 */
function consent(
  { authorization_url, server, issuer, scopes, is_repeat }: Operations['authorization']['start']['answer'],
  cookies: string[],
): View {
  if (is_repeat) return onward(authorization_url, 'You allowed this server before.', cookies);
  return onward(
    authorization_url,
    'Sign in there to allow this.',
    cookies,
    html`<dl class="pairs">
<div><dt>Server</dt><dd><bdi>${cut(server, 300)}</bdi></dd></div>
<div><dt>Token issuer</dt><dd><bdi>${cut(issuer, 300)}</bdi></dd></div>
<div><dt>Scopes</dt><dd>${scopes.length === 0 ? 'chosen by the issuer' : scopes.map((scope) => html`<code>${cut(scope, 100)}</code> `)}</dd></div>
</dl>`,
  );
}

/** The result that the callback put into the address of the page; null without one. */
export function signInOutcome(query: URLSearchParams): Said | null {
  const code = query.get('oauth');
  if (code === null) return null;
  if (code === 'connected') return { done: 'connection_signed_in' };
  if (code === 'other_account') return { done: 'connection_other_account' };
  if (!/^[a-z]+\.[a-z_]{1,60}$/.test(code)) return null;
  const detail = 'Sign-in to the server was not completed.';
  return { failed: new CapstanError({ kind: 'forbidden', status: 403, code, detail }) };
}

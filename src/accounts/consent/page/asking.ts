import type { Client } from '#accounts/oauth/client.ts';
import { redirectKind } from '#accounts/oauth/redirect-uri.ts';
import { type Html, html } from '#core/http/html.ts';

/** Shows the client. Its name is its own claim; its host is verified. */

export const shownClient = ({ name }: Client): Html =>
  html`<bdi class="client">${name === '' ? 'An unnamed application' : name}</bdi>`;

export const whoAsks = ({ host }: Client): Html =>
  host === null
    ? html`<span class="badge warn">Unverified</span> This client registered itself. Its name has not been verified.`
    : html`<span class="badge">${host}</span> published this client’s metadata. Its name is self-declared.`;

/** Describes where the response goes. */
export function whereTo(redirect_uri: string): Html {
  const { host, protocol } = new URL(redirect_uri);
  const kind = redirectKind(redirect_uri);
  if (kind === 'loopback') return html`an application on <strong>this computer</strong> (${host})`;
  if (kind === 'app') return html`the app on this device that opens <strong>${protocol}</strong> links`;
  return html`the website <strong>${host}</strong>`;
}

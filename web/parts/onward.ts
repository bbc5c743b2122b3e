import { type Html, html } from '../server/html.ts';
import type { View } from '../server/page.ts';

/**
 * To where one signs in elsewhere. A page that goes on by itself, and not a redirect: the policy lets forms lead to us alone.
 * `about`: who asks there for the sign-in. `details`: what is allowed there, to be read first, so the page waits for a click.
 */
export function onward(url: string, about: string, cookies: readonly string[], details: Html | null = null): View {
  const { host, protocol } = new URL(url);
  // A server of strangers says where one signs in: nothing but a page of the web.
  if (!/^https?:$/.test(protocol)) throw new Error(`A sign-in is to begin at ${protocol}`);
  const content = html`<section class="problem"><h1>On to <bdi>${host}</bdi></h1>
<p class="lead">${about} You come back here afterwards.</p>
${details}
<p><a class="button" href="${url}" rel="nofollow noopener">Continue</a></p></section>`;
  const view = { title: `On to ${host}`, content, cookies, unlisted: true };
  return details === null ? { ...view, onward: url } : view;
}

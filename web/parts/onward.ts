import { type Html, html } from '../server/html.ts';
import type { View } from '../server/page.ts';

/**
 * Continues to an external sign-in. This is a page and not a redirect, because the policy restricts forms to this service.
 * `about` says what comes next. With `details` the page waits for a click, so that the reader can review them.
 */
export function onward(url: string, about: string, cookies: readonly string[], details: Html | null = null): View {
  const { host, protocol } = new URL(url);
  // The address comes from an untrusted server, so only web pages are accepted.
  if (!/^https?:$/.test(protocol)) throw new Error(`Unsupported protocol of a sign-in address: ${protocol}`);
  const content = html`<section class="problem"><h1>Continue to <bdi>${host}</bdi></h1>
<p class="lead">${about} You will return here afterwards.</p>
${details}
<p><a class="button" href="${url}" rel="nofollow noopener">Continue</a></p></section>`;
  const view = { title: `Continue to ${host}`, content, cookies, unlisted: true };
  return details === null ? { ...view, onward: url } : view;
}

import { type Html, html } from '../../../platform/http/html.ts';
import type { Reply } from '../../../platform/http/operation.ts';
import { brand, pageShell, titled, UNLISTED } from '../../../platform/http/page-shell.ts';
import type { Problem } from '../../../platform/problem.ts';

/** What a browser sees at the end of a sign-in. Nothing runs, nothing is loaded but our own style. */

const POLICY = [
  ...["default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'none'"],
  ...["base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

export interface PageOutcome {
  /** Of the connection; null where the sign-in failed. */
  name: string | null;
  problem: Problem | null;
}

export function outcomePage({ name, problem }: PageOutcome): Reply {
  const title = problem === null ? 'Connected' : (TITLES[problem.code] ?? 'Not connected');
  const content =
    problem === null
      ? html`<p>${name ?? 'The connection'} is signed in. You can close this page.</p>`
      : html`<p>${problem.message}</p>
<p class="note"><a href="/docs/errors/${problem.code}">${problem.code}</a></p>`;
  return {
    status: problem?.status ?? 200,
    media_type: 'text/html; charset=utf-8',
    body: frame(title, content).html,
    cache_control: 'no-store',
    headers: { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer', vary: 'accept' },
  };
}

const TITLES: Record<string, string> = {
  'sessions.oauth_denied': 'Refused',
  'sessions.oauth_state_expired': 'Too late',
  'sessions.oauth_state_used': 'Used before',
  'sessions.oauth_state_unknown': 'Unknown',
  'sessions.oauth_other_browser': 'Another browser',
  'sessions.oauth_other_user': 'Another user',
};

const frame = (title: string, content: Html): Html =>
  pageShell({
    title: titled(title),
    head: UNLISTED,
    body: html`<header class="bar">${brand(28)}</header>
<main id="main" class="prose">
<h1>${title}</h1>
${content}
</main>`,
  });

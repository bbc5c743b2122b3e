import { type Html, html } from '../../../platform/http/html.ts';
import type { Reply } from '../../../platform/http/operation.ts';
import type { Problem } from '../../../platform/problem.ts';
import { SERVICE } from '../../../platform/service.ts';

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

const frame = (title: string, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${SERVICE.title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">
</head>
<body>
<header class="bar"><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> ${SERVICE.title}</a></header>
<main id="main" class="prose">
<h1>${title}</h1>
${content}
</main>
</body>
</html>`;

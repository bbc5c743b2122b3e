import { type Html, html } from '#core/http/html.ts';
import type { Reply } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { authorizationPage } from './frame.ts';

/** Reports an error before consent. Nothing is sent to the client unless the user follows the link. */
export function problemPage(problem: Problem, link: { href: string; text: Html } | null = null): Reply {
  const content = html`<section class="sheet" aria-labelledby="title">
<h1 id="title">Request failed</h1>
<p class="alert" role="alert">${problem.message}</p>
${link === null ? null : html`<p><a href="${link.href}" rel="noopener noreferrer">${link.text}</a></p>`}
<p class="fine"><a href="/docs/errors/${problem.code}">${problem.code}</a></p>
</section>`;
  return authorizationPage({ title: 'Request failed', content, status: problem.status, headers: problem.headers });
}

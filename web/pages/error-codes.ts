import { type Html, html, type Value } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/docs/errors`: every error code, by area. */
export const errorCodes: Page = {
  get: async ({ site }) => {
    const byArea = Map.groupBy(await site.problem_codes(), ({ code }) => code.split('.', 1)[0] as string);
    const content = html`<div class="head"><h1>Error codes</h1>
<p class="lead">Expected errors carry one of these codes (RFC 9457).</p></div>
${[...byArea].map(([area, codes]) => section(area, codes))}`;
    return { title: 'Error codes', content, markdown: '/api/docs.md' };
  },
};

/** Names are written in backticks. */
const withCode = (text: string): Value =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

const section = (area: string, codes: readonly { code: string; status: number; meaning: string }[]): Html =>
  html`<section class="codes" aria-labelledby="${area}"><h2 id="${area}">${area}</h2><dl>
${codes.map(({ code, status, meaning }) => html`<div><dt><a href="/docs/errors/${code}"><code>${code}</code></a> <span class="fine">${status}</span></dt><dd>${withCode(meaning)}</dd></div>`)}
</dl></section>`;

import { type Html, html, type Value } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/docs/errors`: every problem code, by feature. */
export const errorCodes: Page = {
  get: async ({ site }) => {
    const byFeature = Map.groupBy(await site.problem_codes(), ({ code }) => code.split('.', 1)[0] as string);
    const content = html`<div class="head"><h1>Problem codes</h1>
<p class="lead">What fails in a way that was foreseen says so by one of these codes, in the form of RFC 9457.</p></div>
${[...byFeature].map(([feature, codes]) => section(feature, codes))}`;
    return { title: 'Problem codes', content, markdown: '/api/docs.md' };
  },
};

/** Names stand between backticks. */
const withCode = (text: string): Value =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

const section = (feature: string, codes: readonly { code: string; status: number; meaning: string }[]): Html =>
  html`<section class="codes" aria-labelledby="${feature}"><h2 id="${feature}">${feature}</h2><dl>
${codes.map(({ code, status, meaning }) => html`<div><dt><a href="/docs/errors/${code}"><code>${code}</code></a> <span class="fine">${status}</span></dt><dd>${withCode(meaning)}</dd></div>`)}
</dl></section>`;

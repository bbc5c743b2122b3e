import { markdown } from '../parts/markdown.ts';
import { html, raw } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** Each reason has an anchor with its name. */
const withAnchors = (page: string): string =>
  page.replace(/<h([2-6])>([a-z][a-z0-9_]*)<\/h\1>/g, '<h$1 id="$2">$2</h$1>');

/** `/docs/errors/{code}`: what an error code means. */
export const errorCode: Page = {
  get: async ({ capstan, params, site }) => {
    const code = params.code as string;
    const text = (await capstan.docs.getErrorPage({ code: `${code}.md` })) as string;
    const content = html`<article class="prose"><p class="label"><a href="/docs">Docs</a> / <a href="/docs/errors">Error codes</a></p>
${raw(withAnchors((await markdown(site, text)).html))}</article>`;
    return { title: code, content, markdown: `/docs/errors/${code}.md` };
  },
};

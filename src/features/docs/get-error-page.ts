import { preferredType } from '../../platform/http/accept.ts';
import { html, trusted } from '../../platform/http/html.ts';
import { type Handler, markdown } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import type { docsContract } from './contract.ts';
import type { ErrorPages } from './error-pages.ts';
import { page } from './page/page.ts';

/** Loaded at the first page: the parser takes 2 MB. */
const renderer = () => import('../../platform/markdown/render.ts');

export const getErrorPage =
  (pages: ErrorPages): Handler<typeof docsContract.getErrorPage> =>
  async ({ params, headers }) => {
    const code = params.code.replace(/\.md$/, '');
    const text = pages.get(code);
    if (text === undefined)
      throw new Problem('not_found', 'docs.not_found', 'No problem code has this name. GET /api/docs.md lists all.');
    if (code !== params.code) return markdown(text);
    if (preferredType(headers.accept, ['text/markdown', 'text/html']) !== 'text/html')
      return markdown(text, { headers: { vary: 'accept' } });
    const { renderMarkdown } = await renderer();
    const content = html`<main id="main" class="prose">${trusted(renderMarkdown(text))}</main>`;
    return page({ title: code, markdown_url: `/docs/errors/${code}.md`, content });
  };

import { preferredType } from '../../platform/http/accept.ts';
import { html, trusted } from '../../platform/http/html.ts';
import { type Handler, markdown } from '../../platform/http/operation.ts';
import type { docsContract } from './contract.ts';
import type { Once } from './once.ts';
import { page } from './page/page.ts';

export const getDocs = (text: Once): Handler<typeof docsContract.getDocs> => {
  // Loaded at the first page: the parser takes 2 MB.
  const load = () => import('../../platform/markdown/render.ts');
  let rendered: string | undefined;
  return async ({ headers }) => {
    if (preferredType(headers.accept, ['text/html', 'text/markdown']) === 'text/markdown')
      return markdown(text(), { encoded: text.encoded, headers: { vary: 'accept' } });
    rendered ??= (await load()).renderMarkdown(text());
    const content = html`<main id="main" class="prose">${trusted(rendered)}</main>`;
    return page({ title: 'Documentation', markdown_url: '/api/docs.md', content });
  };
};

import { operationsOf } from '../parts/openapi.ts';
import { operationSection, type Reader } from '../parts/operation.ts';
import { type Html, html } from '../server/html.ts';
import type { OpenApi, Page } from '../server/page.ts';
import { noPage } from '../server/problem-view.ts';

/** `/reference/{chapter}`: the operations of a chapter, each with a form to try it. */
export const referenceChapter: Page = {
  get: async ({ params, site, user, path }) => {
    const document = await site.openapi();
    const tag = document.tags.find(({ name }) => name === params.chapter);
    if (tag === undefined) return noPage(path);
    const is_signed_in = user !== null;
    const content = await kept(document, `${tag.name} ${is_signed_in}`, () =>
      chapter(document, tag, { ...site, is_signed_in }),
    );
    return { title: `${tag.name} API`, description: tag.description, content, markdown: '/api/docs.md' };
  },
};

async function chapter(document: OpenApi, tag: OpenApi['tags'][number], reader: Reader): Promise<Html> {
  const operations = operationsOf(document, tag.name);
  return html`<div class="reading">
<nav class="toc contents" aria-label="Operations"><section><h2><a href="/reference">API reference</a> / ${tag.name}</h2>
<ul>${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}</ul></section></nav>
<div><div class="head"><h1>${tag.name}</h1><p class="lead">${tag.description}</p></div>
${await Promise.all(operations.map((operation) => operationSection(document, operation, reader)))}</div>
</div>`;
}

const chapters = new WeakMap<OpenApi, Map<string, Promise<Html>>>();

/** The contract does not change while the process runs, so each chapter is rendered once per kind of reader. */
function kept(document: OpenApi, key: string, make: () => Promise<Html>): Promise<Html> {
  const known = chapters.get(document) ?? new Map<string, Promise<Html>>();
  chapters.set(document, known);
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}

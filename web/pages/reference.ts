import { type Operation, operationsOf } from '../parts/openapi.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/reference`: every operation of the contract, by chapter. */
export const reference: Page = {
  get: async ({ site }) => {
    const document = await site.openapi();
    const chapters = document.tags.map((tag) => ({ ...tag, operations: operationsOf(document, tag.name) }));
    const content = html`<div class="head"><h1>API reference</h1>
<p class="lead">Contract ${document.info.version}, generated from the schema that the service validates against. Also as <a href="/api/schema">OpenAPI 3.1</a> and <a href="/api/docs.md">Markdown</a>.</p></div>
${chapters.map(({ name, description, operations }) => chapter(name, description, operations))}`;
    return { title: 'API reference', content, markdown: '/api/docs.md' };
  },
};

const chapter = (
  name: string,
  description: string,
  operations: readonly Operation[],
): Html => html`<section class="chapter" aria-labelledby="${name}">
<h2 id="${name}"><a href="/reference/${name}">${name}</a></h2><p class="label">${description}</p>
<ul class="operations">${operations.map(
  ({ id, method, path, summary }) =>
    html`<li><a href="/reference/${name}#${id}"><code><b>${method}</b> ${path}</code></a> <span>${summary}</span></li>`,
)}</ul></section>`;

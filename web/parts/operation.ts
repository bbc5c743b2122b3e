import { type Html, html, raw } from '../server/html.ts';
import type { OpenApi } from '../server/page.ts';
import { curlOf } from './curl.ts';
import { type Answered, type Operation, type Parameter, whole } from './openapi.ts';
import { schemaFields, typeOf } from './schema-fields.ts';
import { tryForm } from './try-form.ts';

/** An operation of the contract: description, parameters, responses and a form to try it. */

export interface Reader {
  base_url: string;
  is_signed_in: boolean;
  renderMarkdown(text: string): Promise<string>;
}

export async function operationSection(document: OpenApi, operation: Operation, reader: Reader): Promise<Html> {
  const { id, method, path, summary, description, parameters, body, answers } = operation;
  const [good, bad] = [answers.filter(isGood), answers.filter((each) => !isGood(each))];
  return html`<section class="operation" aria-labelledby="${id}">
<h2 id="${id}">${summary}</h2>
<p class="route"><code><b>${method}</b> ${path}</code> <span class="label">${accessOf(operation)}</span></p>
<div class="prose">${raw(await reader.renderMarkdown(description))}</div>
${parameters.length > 0 && html`<h3>Parameters</h3><dl class="fields">${parameters.map(parameter)}</dl>`}
${body !== null && html`<h3>Body <span class="label">${body.media_type}</span></h3>${schemaFields(whole(document, body.schema) as Record<string, unknown>)}`}
<h3>Responses</h3>
${await Promise.all(good.map((each) => answer(document, each, reader)))}
${bad.length > 0 && html`<details><summary>Errors: ${bad.map(({ status }) => (status === 'default' ? 'others' : status)).join(', ')}</summary><div class="prose">${await Promise.all(bad.map((each) => failure(each, reader)))}</div></details>`}
<h3>Try it</h3>
<pre tabindex="0"><code>${curlOf(operation, reader.base_url)}</code></pre>
${tryForm(operation, reader.is_signed_in)}
</section>`;
}

const isGood = ({ status }: Answered): boolean => /^[23]/.test(status);

function accessOf({ security }: Operation): string {
  if (security.length === 0) return 'public';
  if (security.some((node) => Object.keys(node).length === 0)) return 'token optional';
  return security.some((node) => Object.keys(node).length > 1)
    ? 'token and wallet signature required'
    : 'token required';
}

const parameter = ({
  name,
  in: place,
  required,
  description,
  schema = {},
}: Parameter): Html => html`<div><dt><code>${name}</code>
<span class="label">${place}, ${typeOf(schema)}${required === true && ', required'}${schema.default !== undefined && html`, <code>${JSON.stringify(schema.default)}</code> by default`}</span></dt>
<dd>${description ?? ''}</dd></div>`;

async function answer(document: OpenApi, answered: Answered, { renderMarkdown }: Reader): Promise<Html> {
  const { status, description, media_type, schema, example } = answered;
  return html`<div class="answer"><p><b>${status}</b> <span class="label">${media_type}</span></p>${raw(await renderMarkdown(description))}
${example !== undefined && html`<details><summary>Example</summary><pre tabindex="0"><code>${textOf(example)}</code></pre></details>`}
${schema !== null && schema.type === 'object' && html`<details><summary>Fields</summary>${schemaFields(whole(document, schema) as Record<string, unknown>)}</details>`}</div>`;
}

const failure = async ({ status, description }: Answered, { renderMarkdown }: Reader): Promise<Html> =>
  html`<h4>${status === 'default' ? 'Other errors' : status}</h4>${raw(linked(await renderMarkdown(description)))}`;

/** Links error codes to their pages. */
const linked = (text: string): string =>
  text.replace(/<code>([a-z]+\.[a-z_]+)<\/code>/g, '<a href="/docs/errors/$1"><code>$1</code></a>');

const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example, null, 2));

import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { schemaFields } from './schema-fields.ts';
import { count } from './words.ts';

/** The tools of a server as last listed, with their input. Untrusted text. */

type Tool = NonNullable<ItemDetail['tools']>[number];

export function toolsSection({ tools, runnable }: ItemDetail): Html | null {
  if (tools === null || tools.length === 0) return null;
  const more = (runnable.tool_count ?? tools.length) - tools.length;
  return html`<section aria-labelledby="tools"><h2 id="tools">Tools <span class="label">${count(runnable.tool_count ?? tools.length)}</span></h2>
<div class="tools-list">${tools.map(tool)}</div>
${more > 0 && html`<p class="fine">And ${count(more)} more.</p>`}</section>`;
}

const tool = ({ name, title, description, input_schema }: Tool): Html => html`<details>
<summary><code>${name}</code>${title !== '' && title !== name && html` <span class="label"><bdi>${title}</bdi></span>`}</summary>
<div class="tool">${description !== '' && html`<p dir="auto">${description}</p>`}
${input_schema === null ? html`<p class="fine">The schema is too large to be stored.</p>` : schemaFields(input_schema)}</div>
</details>`;

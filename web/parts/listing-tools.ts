import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { tryPath } from './capability-ref.ts';
import { type IconName, icon } from './icon.ts';
import { fieldsOf, presets } from './input-fields.ts';
import { filledWith, inputForm } from './input-form.ts';
import { jsonView } from './json-view.ts';
import { schemaFields } from './schema-fields.ts';
import { count, cut } from './words.ts';

/** The tools of a server as last listed. One of them is open, with its arguments as a form and as JSON. Untrusted text. */

type Tool = NonNullable<ItemDetail['tools']>[number];

const TOOLS_PER_PAGE = 50;
const DESCRIPTION = { row: 140, open: 2_000 };

interface ToolsTab {
  item: ItemDetail;
  /** Of the page, with its tab. */
  path: string;
  query: URLSearchParams;
  /** Whether a call from here can succeed. */
  can_try: boolean;
}

export function toolsTab({ item, path, query, can_try }: ToolsTab): Html {
  const tools = item.tools ?? [];
  const chosen = tools.findIndex(({ name }) => name === query.get('tool'));
  const open = Math.max(chosen, 0);
  const asked = Number(query.get('offset') ?? Number.NaN);
  const offset = Number.isSafeInteger(asked) && asked >= 0 && asked < tools.length ? asked : 0;
  const start = chosen === -1 ? offset - (offset % TOOLS_PER_PAGE) : open - (open % TOOLS_PER_PAGE);
  const shown = tools.slice(start, start + TOOLS_PER_PAGE);
  const isOpen = (tool: Tool): boolean => tool === (chosen === -1 ? shown[0] : tools[open]);
  return html`<div class="toolbox">${shown.map((tool) => (isOpen(tool) ? openTool(tool, item, can_try) : toolRow(tool, path)))}
${pager(tools.length, start, path, item.runnable.tool_count)}</div>`;
}

function pager(total: number, start: number, path: string, all: number | null): Html | null {
  const [before, after] = [start > 0, start + TOOLS_PER_PAGE < total];
  const unlisted = (all ?? total) - total;
  if (!before && !after && unlisted <= 0) return null;
  return html`<nav class="pages" aria-label="Pages of tools">${before ? html`<a rel="prev" href="${path}&offset=${start - TOOLS_PER_PAGE}">Earlier tools</a>` : html`<span></span>`}
<span class="label">${count(start + 1)} to ${count(Math.min(total, start + TOOLS_PER_PAGE))} of ${count(all ?? total)}${unlisted > 0 && `; ${count(unlisted)} more are not stored here`}</span>
${after ? html`<a rel="next" href="${path}&offset=${start + TOOLS_PER_PAGE}">More tools</a>` : html`<span></span>`}</nav>`;
}

/** Names of tools may have any character. */
const anchorOf = (name: string): string => `tool-${name.replace(/[^\w-]/g, '_').slice(0, 80)}`;

const nameOf = ({ name, title }: Tool): Html =>
  html`<code>${cut(name, 100)}</code>${title !== '' && title !== name && html` <span class="label"><bdi>${cut(title, 100)}</bdi></span>`}`;

const toolRow = (tool: Tool, path: string): Html =>
  html`<section class="tool" aria-labelledby="${anchorOf(tool.name)}"><header>${icon('wrench')}<h2 id="${anchorOf(tool.name)}"><a href="${path}&tool=${encodeURIComponent(tool.name)}#${anchorOf(tool.name)}">${nameOf(tool)}</a></h2>${hints(tool)}${icon('chevron-right')}</header>
${tool.description !== '' && html`<p class="fine" dir="auto">${cut(tool.description, DESCRIPTION.row)}</p>`}</section>`;

function openTool(tool: Tool, item: ItemDetail, canTry: boolean): Html {
  const { name, description, input_schema } = tool;
  return html`<section class="tool open" aria-labelledby="${anchorOf(name)}"><header>${icon('wrench')}<h2 id="${anchorOf(name)}">${nameOf(tool)}</h2>${hints(tool)}${icon('chevron-down')}</header>
<div class="tool-body"><div>${description !== '' && html`<p class="fine" dir="auto">${description.slice(0, DESCRIPTION.open)}${description.length > DESCRIPTION.open && '…'}</p>`}
${input_schema === null && html`<p class="fine">Its arguments are not known: its source does not list them, or they are too long to store.</p>`}
${canTry ? argumentsForm(tool, item) : input_schema !== null && html`<p class="fine">This service cannot run it. Add the server to a client to use this tool.</p>${schemaFields(input_schema)}`}</div>
${input_schema !== null && html`<div>${asJson(tool, item)}</div>`}</div></section>`;
}

/** What the server says about a tool; it is a statement, not a check. */
function hints({ annotations = {} }: Tool): Html {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const reads = readOnlyHint === true;
  const tags: [boolean, string, string, IconName | null][] = [
    [reads, 'good', 'Read-only', 'eye'],
    [!reads && destructiveHint === true, 'bad', 'May delete', 'triangle-alert'],
    [!reads && destructiveHint === false, '', 'Only adds', null],
    [readOnlyHint === false && destructiveHint === undefined, '', 'Changes data', null],
    [reads || idempotentHint === true, '', 'Safe to retry', null],
    [openWorldHint === true, '', 'Reaches other services', 'globe'],
  ];
  return html`<span class="hints">${tags.map(([is, look, words, shape]) => is && html`<span class="tag ${look}" title="The server says so; it is not checked.">${shape !== null && icon(shape)}${words}</span>`)}</span>`;
}

function argumentsForm({ name, input_schema, annotations }: Tool, { provider_id, external_id }: ItemDetail): Value {
  const action = tryPath({ kind: 'listing', ref: `${provider_id}/${external_id}` }, { tool: name });
  const fields = fieldsOf(input_schema);
  const input = presets(fields ?? []);
  const filled = filledWith(fields, input);
  const isBare = fields === null && Object.keys((input_schema?.properties ?? {}) as object).length === 0;
  return html`<form class="fields-form" method="post" action="${action}">
${isBare ? html`<p class="fine">No input required.</p><input type="hidden" name="json" value="{}">` : inputForm(fields, filled)}
<p class="ways"><button type="submit" class="button">${icon('play')}Try it</button> <span class="fine">Every call ends with a receipt.${annotations?.readOnlyHint === true && ' You can run it a few times a day without an account.'}</span></p></form>`;
}

/** A value of the right type for each argument that the tool requires. */
function asJson({ name, input_schema }: Tool, item: ItemDetail): Html {
  const fields = fieldsOf(input_schema) ?? [];
  const example = Object.fromEntries(
    fields
      .filter(({ is_required }) => is_required)
      .map(({ name: field, schema, choices, way }) => {
        if (schema.default !== undefined) return [field, schema.default];
        if (Array.isArray(schema.examples) && schema.examples.length > 0) return [field, schema.examples[0]];
        if (choices[0] !== undefined) return [field, JSON.parse(choices[0])];
        return [field, BLANK[way] ?? null];
      }),
  );
  return html`<h3>As JSON</h3>${jsonView({ name, arguments: example }, item.links.self)}
<details class="raw"><summary>JSON Schema</summary>${jsonView(input_schema, item.links.self)}</details>`;
}

const BLANK: Record<string, unknown> = { line: '', text: '', whole: 0, number: 0, boolean: false };

import { type Html, html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { encodedPath } from './encoded-path.ts';
import { bytesText, jsonView } from './json-view.ts';
import {
  type Block,
  blocksOf,
  dataOf,
  imageIn,
  type ResultFile,
  repeatsIt,
  resourceOf,
  structuredOf,
} from './result-parts.ts';
import { valueView } from './value-view.ts';
import { count, cut, strangersLink } from './words.ts';

/**
 * The result of a run as what it is: text, Markdown, a tree or table, images, files. Everything in it is untrusted: text
 * is escaped, images are recognized by their bytes and served under our own addresses, everything else is a download.
 */

interface Result {
  output: unknown;
  output_files: readonly ResultFile[];
  /** The path below which its parts are served: `/runs/{id}`. */
  path: string;
  /** Whether a language model wrote it: then it is Markdown. */
  is_markdown: boolean;
  form?: ResultForm;
}

/** For people, as JSON, or the texts in it exactly as they came. */
export type ResultForm = 'view' | 'json' | 'raw';

/** What showing a value takes. */
export type Showing = Pick<Site, 'renderMarkdown' | 'turn'>;

/** Longer texts are shown as they are, and cut. */
const MOST_MARKDOWN = 64 * 1_024;
const MOST_BLOCKS = 50;
const MOST_IMAGES = 20;
/** Characters of texts on one page. */
const MOST_TEXT = 200_000;

interface Drawing extends Result {
  render: Site['renderMarkdown'];
  /** What the page still has room for. */
  room: { images: number; characters: number };
}

export async function resultView(result: Result, { renderMarkdown: render, turn }: Showing): Promise<Html> {
  const drawing = { ...result, render, room: { images: MOST_IMAGES, characters: MOST_TEXT } };
  const { output, output_files, path } = result;
  // A large value takes its time to parse and to show, so other requests get their turn in between.
  await turn();
  const shown = output === null ? null : await shownAs(drawing);
  await turn();
  return html`<div class="result">${shown}
${fileList(path, 'output', output_files, drawing.room)}
${output !== null && html`<p class="fine"><a href="${path}/download/output" download>Download</a></p>`}</div>`;
}

async function shownAs(drawing: Drawing): Promise<Html> {
  const { form = 'view', output, path } = drawing;
  if (form === 'json') return jsonView(output, `${path}/download/output`);
  if (form === 'view' || !hasText(output)) return outputView(drawing);
  return html`${textsOf(output)
    .slice(0, MOST_BLOCKS)
    .map((text) => rawText(drawing, text))}`;
}

/** Whether a value is text, or has blocks of it. */
export const hasText = (output: unknown): boolean => textsOf(output).length > 0;

function textsOf(output: unknown): string[] {
  if (typeof output === 'string') return [output];
  return (blocksOf(output) ?? []).flatMap((block) => textOf(block) ?? []);
}

/** The text of a block that has one. */
function textOf(block: Block): string | null {
  const text = block.type === 'resource' ? resourceOf(block).text : block.type === 'text' ? block.text : null;
  return typeof text === 'string' ? text : null;
}

function rawText({ room, path }: Drawing, text: string): Html {
  const most = Math.max(0, room.characters);
  room.characters -= Math.min(text.length, most);
  return plainText(text, most, `${path}/download/output`);
}

async function outputView(drawing: Drawing): Promise<Html> {
  const { output } = drawing;
  if (typeof output === 'string') return textView(drawing, output, drawing.is_markdown, 'output');
  const blocks = blocksOf(output);
  if (blocks === null) return valueView(output);
  const shown: Html[] = [];
  const structured = structuredOf(output);
  for (const [at, block] of blocks.slice(0, MOST_BLOCKS).entries())
    if (structured === null || !repeatsIt(block)) shown.push(await blockView(drawing, block, at));
  if (structured !== null) shown.push(await valueView(structured));
  const left = blocks.length - MOST_BLOCKS;
  return html`${shown}${left > 0 && html`<p class="fine">${count(left)} more parts are in the download.</p>`}`;
}

async function blockView(drawing: Drawing, block: Block, at: number): Promise<Html> {
  const place = `blocks/${at}`;
  const text = textOf(block);
  if (text !== null)
    return html`${titleOf(block)}${await textView(drawing, text, typeOf(block) === 'text/markdown', 'output')}`;
  if (block.type === 'resource_link')
    return html`<p>Link: ${strangersLink(textMember(block, 'uri'), textMember(block, 'name') || textMember(block, 'uri'))}${textMember(block, 'description') !== '' && html` <span class="fine" dir="auto">${cut(textMember(block, 'description'), 300)}</span>`}</p>`;
  const data = dataOf(block);
  if (data === null) return valueView(block);
  return (
    imageView(drawing, data, place, `Part ${at + 1} of the result`) ??
    download(drawing.path, place, `part-${at + 1}`, data, typeOf(block))
  );
}

const textMember = (block: Block, name: string): string => (typeof block[name] === 'string' ? block[name] : '');

function typeOf(block: Block): string {
  const { mimeType } = block.type === 'resource' ? resourceOf(block) : block;
  return typeof mimeType === 'string' ? mimeType : '';
}

function titleOf(block: Block): Html | null {
  const { uri } = resourceOf(block);
  return typeof uri === 'string' ? html`<p class="label"><bdi>${cut(uri, 200)}</bdi></p>` : null;
}

/** Null if the bytes are not an image of a safe type. */
function imageView({ path, room }: Drawing, base64: string, place: string, alt: string): Html | null {
  const facts = room.images > 0 ? imageIn(base64) : null;
  if (facts === null) return null;
  room.images--;
  const { width, height, media_type } = facts;
  return html`<figure class="picture"><img src="${path}/view/${place}" width="${width}" height="${height}" alt="${alt}" loading="lazy" decoding="async">
<figcaption class="fine">${media_type.slice('image/'.length).toUpperCase()}, ${width} × ${height}. <a href="${path}/download/${place}" download>Download</a></figcaption></figure>`;
}

const download = (path: string, place: string, name: string, base64: string, type: string): Html =>
  html`<p><a href="${path}/download/${place}" download>Download ${name}</a> <span class="label">${type !== '' && html`<bdi>${cut(type, 80)}</bdi>, `}${bytesText(Math.floor((base64.length * 3) / 4))}</span></p>`;

/** Text as Markdown, as the JSON that it is, or as it is. `place` has all of it. */
async function textView(drawing: Drawing, text: string, isMarkdown: boolean, place: string): Promise<Html> {
  const { room, path } = drawing;
  if (text === '') return html`<p class="fine">Empty text.</p>`;
  const most = Math.max(0, room.characters);
  room.characters -= Math.min(text.length, most);
  if (text.length > most) return plainText(text, most, `${path}/download/${place}`);
  const json = jsonIn(text);
  if (json !== null) return valueView(json);
  if ((isMarkdown || looksLikeMarkdown(text)) && text.length <= MOST_MARKDOWN) {
    const rendered = await drawing.render(text).catch(() => null);
    if (rendered !== null) return html`<div class="prose" dir="auto">${raw(rendered)}</div>`;
  }
  return plainText(text, most, `${path}/download/${place}`);
}

const MOST_PLAIN = 100_000;

function plainText(text: string, room: number, whole: string): Html {
  const most = Math.min(room, MOST_PLAIN);
  const isCut = text.length > most;
  return html`<pre class="value" tabindex="0" dir="auto"><code>${isCut ? text.slice(0, most).toWellFormed() : text}</code></pre>
${isCut && html`<p class="fine">The first ${count(most)} of ${count(text.length)} characters. <a href="${whole}" download>Download all of it</a>.</p>`}`;
}

/** An object or list that a text contains; null for any other text. */
function jsonIn(text: string): object | null {
  const first = text.trimStart().charAt(0);
  if (first !== '{' && first !== '[') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const MOST_LOOKED_AT = 8_000;

/** Whether a text has at least two kinds of marks that other texts rarely have. Looks at its beginning only. */
export function looksLikeMarkdown(text: string): boolean {
  const kinds = new Set<string>();
  for (const line of text.slice(0, MOST_LOOKED_AT).split('\n')) {
    if (/^#{1,6} \S/.test(line)) kinds.add('heading');
    else if (line.startsWith('```')) kinds.add('fence');
    else if (/^(?:[-*]|\d{1,3}\.) \S/.test(line)) kinds.add('list');
    else if (line.startsWith('|') && line.trimEnd().endsWith('|')) kinds.add('table');
    if (line.includes('](http')) kinds.add('link');
    if (/\*\*\w/.test(line)) kinds.add('bold');
  }
  return kinds.size > 1;
}

/** Files of a run, as downloads. With room for images, those among them are displayed. */
export function fileList(
  path: string,
  place: 'input' | 'output',
  files: readonly ResultFile[],
  room: { images: number } = { images: 0 },
): Html | null {
  if (files.length === 0) return null;
  return html`<ul class="files" aria-label="Files of the ${place}">${files.map((file) => {
    const at = `${place}/${encodedPath(file.path)}`;
    const facts = room.images > 0 ? imageIn(file.content_base64) : null;
    if (facts !== null) room.images--;
    return html`<li><a href="${path}/download/${at}" download><bdi>${file.path}</bdi></a> <span class="label">${bytesText(file.size)}</span>${facts !== null && html`<img class="picture" src="${path}/view/${at}" width="${facts.width}" height="${facts.height}" alt="${cut(file.path, 100)}" loading="lazy" decoding="async">`}</li>`;
  })}</ul>`;
}

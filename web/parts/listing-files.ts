import { type Html, html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { block } from './block.ts';
import { icon } from './icon.ts';
import { bytesText } from './json-view.ts';
import { count, cut } from './words.ts';

/** The files of a listing, one of them open as numbered lines. Paths and texts are untrusted. */

export interface ListedFile {
  path: string;
  size: number | null;
  sha256: string | null;
}

interface Files {
  files: readonly ListedFile[];
  /** Of all files, if more than these. */
  total: number;
  /** Where a file is shown; null if it cannot be. */
  hrefOf(path: string): string | null;
}

/** Files of providers that are text by their names, and small enough to be fetched. */
export function isShown(files: readonly ListedFile[], path: string): boolean {
  const size = files.find((file) => file.path === path)?.size ?? 0;
  return size <= MOST_BYTES && !BINARY.test(path);
}

const MOST_BYTES = 262_144;
const BINARY =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|pdf|zip|gz|tgz|tar|7z|woff2?|ttf|otf|mp[34]|wav|webm|mov|exe|dll|so|dylib|bin|wasm|class|jar|db|sqlite|docx|xlsx|pptx)$/i;

const MOST_FILES = 500;
const SCRIPT = /\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php|ps1|lua|go|rs)$/i;

export const filesTab = ({ files, total, hrefOf }: Files): Html =>
  html`<div class="card"><ul class="file-list">${files.slice(0, MOST_FILES).map((file) => {
    const href = hrefOf(file.path);
    return html`<li>${icon(SCRIPT.test(file.path) ? 'file-code' : 'file-text')}${href === null ? html`<code>${cut(file.path, 200)}</code>` : html`<a href="${href}"><code>${cut(file.path, 200)}</code></a>`}<span class="label num"${file.sha256 !== null && html` title="SHA-256 ${file.sha256}"`}>${file.size !== null && bytesText(file.size)}</span></li>`;
  })}</ul></div>
${total > Math.min(files.length, MOST_FILES) && html`<p class="fine">And ${count(total - Math.min(files.length, MOST_FILES))} more.</p>`}`;

const MOST_CHARACTERS = 100_000;
const MOST_LINES = 2_000;

/** `whole` is the address of the file itself. */
export async function fileView(
  { path, text, whole }: { path: string; text: string | null; whole: string },
  site: Pick<Site, 'renderMarkdown'>,
): Promise<Html> {
  if (text === null)
    return block({
      id: 'file',
      title: html`<code>${cut(path, 200)}</code>`,
      content: html`<p>Binary file – no preview. <a href="${whole}" rel="nofollow">Download</a></p>`,
    });
  const lines = text.slice(0, MOST_CHARACTERS).replace(/\n$/, '').split('\n');
  const isCut = text.length > MOST_CHARACTERS || lines.length > MOST_LINES;
  const shown = await coloured(lines.slice(0, MOST_LINES), path, site);
  return html`${block({
    id: 'file',
    title: html`<code>${cut(path, 200)}</code>`,
    shape: 'file-code',
    label: html`${lines.length === 1 ? '1 line' : `${count(lines.length)} lines`} · ${bytesText(Buffer.byteLength(text))} · <a href="${whole}" rel="nofollow">Raw</a>`,
    is_flush: true,
    content: html`<pre class="numbered" tabindex="0"><code>${shown.map((line, at) => html`<span id="L${at + 1}">${line}</span>\n`)}</code></pre>`,
  })}${isCut && html`<p class="fine">The rest of this file is not shown.</p>`}`;
}

/** The highlighter of fenced code colours the lines: a fence that is longer than any in the text holds them. */
async function coloured(lines: readonly string[], path: string, site: Pick<Site, 'renderMarkdown'>): Promise<Html[]> {
  const text = lines.join('\n');
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const language = /\.(\w{1,10})$/.exec(path)?.[1] ?? '';
  const rendered = await site.renderMarkdown(`${fence}${language}\n${text}\n${fence}\n`);
  const code = /^<pre><code[^>]*>([\s\S]*)<\/code><\/pre>\s*$/.exec(rendered)?.[1];
  const shown = code?.replace(/\n$/, '').split('\n');
  return shown !== undefined && shown.length === lines.length ? shown.map(raw) : lines.map((line) => html`${line}`);
}

import type { Capstan, VersionDetail } from '../../sdk/src/index.ts';
import { type Html, html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';
import { encodedPath } from './encoded-path.ts';

/** The main document of a listing: Markdown as safe HTML, YAML as plain text. */

const NAMES = ['SKILL.md', 'HARNESS.md', 'README.md', 'rig.yaml'];
/** About 15 KB compressed: with its style and scripts, a page stays below 40 KB. */
const MOST_CHARACTERS = 40_000;

/** The main document of a published version; null if there is none to show. */
export async function mainDocument(
  capstan: Capstan,
  { listing_id: id, version, files, status }: VersionDetail,
): Promise<{ name: string; text: string } | null> {
  const file = mainFileOf(files);
  if (file === undefined || file.size > 4 * MOST_CHARACTERS || status === 'yanked') return null;
  const text = textOf(await capstan.listings.getFile({ id, version, path: file.path }));
  return text === null ? null : { name: file.path, text };
}

export const fileAddress = ({ links }: VersionDetail, path: string): string => `${links.files}${encodedPath(path)}`;

export const mainFileOf = (files: VersionDetail['files']): VersionDetail['files'][number] | undefined =>
  NAMES.map((name) => files.find(({ path }) => path === name)).find((file) => file !== undefined);

export async function readmeSection(
  capstan: Capstan,
  version: VersionDetail,
  site: Pick<Site, 'renderMarkdown'>,
): Promise<Html | null> {
  const found = await mainDocument(capstan, version);
  return found === null
    ? null
    : html`<section aria-labelledby="readme"><h2 id="readme">${found.name}</h2>
<p class="fine">Written by its author. Treat it as untrusted data.</p>
${await documentView(found, site, { source: null, whole: fileAddress(version, found.name) })}</section>`;
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

/** `source` is the address that relative links lead to; null unlinks them. `whole` is that of the whole text. */
export async function documentView(
  { name, text }: { name: string; text: string },
  { renderMarkdown }: Pick<Site, 'renderMarkdown'>,
  { source, whole }: { source: string | null; whole: string },
): Promise<Html> {
  const shown = shortened(text);
  const rest =
    isLong(text) &&
    html`<p class="fine">The rest of this text is not shown here. <a href="${whole}" rel="nofollow">Read all of it</a></p>`;
  if (!name.endsWith('.md')) return html`<pre tabindex="0"><code>${shown}</code></pre>${rest}`;
  const front = FRONT_MATTER.exec(shown);
  const body = front === null ? shown : shown.slice(front[0].length);
  // The page already has a headline.
  const rendered = await renderMarkdown(body.replace(/^\s*# [^\n]*\n/, ''));
  return html`${front !== null && html`<details class="front"><summary>Front matter</summary><pre tabindex="0"><code>${front[1]}</code></pre></details>`}
<div class="prose readme">${raw(fitted(rendered, source))}</div>${rest}`;
}

const isLong = (text: string): boolean => text.length > MOST_CHARACTERS;

/** Whole lines only, so that no construct is cut in its middle more than needed. */
function shortened(text: string): string {
  if (!isLong(text)) return text;
  const start = text.slice(0, MOST_CHARACTERS);
  return start.slice(0, Math.max(start.lastIndexOf('\n'), MOST_CHARACTERS / 2)).toWellFormed();
}

/** The highest heading of the text comes right below that of the page. Relative links would lead into this service, so they lead to their source. */
function fitted(text: string, source: string | null): string {
  const levels = [...text.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
  const lowered = 2 - levels.reduce((least, level) => Math.min(least, level), 6);
  return text
    .replace(/<(\/?)h([1-6])>/g, (_all, slash, level) => `<${slash}h${Math.min(6, Number(level) + lowered)}>`)
    .replace(/<pre>/g, '<pre tabindex="0">')
    .replace(/<a href="([^"<>]*)"[^<>]*>|<\/a>/g, linkFitter(source));
}

/** Links do not nest, so a link that is left out takes the next end tag with it. */
function linkFitter(source: string | null): (tag: string, href?: string) => string {
  let isOut = false;
  return (tag, href) => {
    if (href === undefined) return isOut ? '' : tag;
    isOut = !/^(?:https?:|mailto:)/i.test(href);
    const path = href.replace(/^\.?\//, '');
    if (!isOut || source === null || path.startsWith('#')) return isOut ? '' : tag;
    isOut = false;
    return `<a href="${source}/${path}" rel="nofollow ugc noopener">`;
  };
}

const GITHUB = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?(?:[?#].*)?$/;

/** Where the files of a repository can be read; null if that is not known. */
export function sourceOf(repository: string): string | null {
  const [, owner, name] = GITHUB.exec(repository) ?? [];
  return owner === undefined || name === undefined ? null : `https://github.com/${owner}/${name}/blob/HEAD`;
}

/** Null if the bytes are not text. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

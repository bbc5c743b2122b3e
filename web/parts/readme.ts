import type { Capstan, VersionDetail } from '../../sdk/src/index.ts';
import { type Html, html, raw } from '../server/html.ts';
import type { Site } from '../server/page.ts';

/** The main document of a published version: Markdown as safe HTML, YAML as plain text. */

const NAMES = ['SKILL.md', 'HARNESS.md', 'README.md', 'rig.yaml'];
const MOST_BYTES = 200_000;

export async function readmeSection(
  capstan: Capstan,
  { listing_id: id, version, files, status }: VersionDetail,
  site: Pick<Site, 'renderMarkdown'>,
): Promise<Html | null> {
  const file = NAMES.map((name) => files.find(({ path }) => path === name)).find((file) => file !== undefined);
  if (file === undefined || file.size > MOST_BYTES || status === 'yanked') return null;
  const text = textOf(await capstan.listings.getFile({ id, version, path: file.path }));
  if (text === null) return null;
  return html`<section aria-labelledby="readme"><h2 id="readme">${file.path}</h2>
<p class="fine">Written by its author. Treat it as untrusted data.</p>
${file.path.endsWith('.md') ? await markdown(text, site) : html`<pre tabindex="0"><code>${text}</code></pre>`}</section>`;
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

async function markdown(text: string, { renderMarkdown }: Pick<Site, 'renderMarkdown'>): Promise<Html> {
  const front = FRONT_MATTER.exec(text);
  const body = await renderMarkdown(front === null ? text : text.slice(front[0].length));
  return html`${front !== null && html`<details class="front"><summary>Front matter</summary><pre tabindex="0"><code>${front[1]}</code></pre></details>`}
<div class="prose readme">${raw(lowered(body))}</div>`;
}

/** Lowers headings below those of the page and the section. */
const lowered = (text: string): string =>
  text
    .replace(/<(\/?)h([1-6])>/g, (_all, slash, level) => `<${slash}h${Math.min(6, Number(level) + 2)}>`)
    .replace(/<pre>/g, '<pre tabindex="0">');

/** Null if the bytes are not text. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

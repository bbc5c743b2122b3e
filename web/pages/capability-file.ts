import { capabilityPath } from '../parts/capabilities.ts';
import { encodedPath } from '../parts/encoded-path.ts';
import { versionPath } from '../parts/published.ts';
import { textOf } from '../parts/readme.ts';
import { count, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/marketplace/{id}/versions/{version}/files/{path}`: a published file, always shown as text. */
export const capabilityFile: Page = {
  get: async ({ capstan, params: { id = '', version = '', path = '' } }) => {
    const versionDetail = await capstan.listings.getVersion({ id, version });
    const bytes = await capstan.listings.getFile({ id, version, path });
    const file = versionDetail.files.find((one) => one.path === path);
    const plain = `${versionDetail.links.files}${encodedPath(path)}`;
    const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/marketplace">Browse</a> / <a href="${capabilityPath(id)}"><bdi>${cut(versionDetail.name, 120)}</bdi></a> / <a href="${versionPath(id, version)}">${version}</a></p>
<h1><code>${path}</code></h1>
<p class="facts"><span>${count(bytes.byteLength)} bytes</span><span>SHA-256 <code>${file?.sha256}</code></span><a href="${plain}" rel="nofollow">Raw</a></p>
</header>
${shown(textOf(bytes))}
</article>`;
    return { title: `${path} of ${cut(versionDetail.name, 80)} ${version}`, content, unlisted: true };
  },
};

const MOST_CHARACTERS = 200_000;
const MOST_LINES = 5_000;

function shown(text: string | null): Html {
  if (text === null) return html`<p class="none">Binary file – no preview.</p>`;
  const lines = text.slice(0, MOST_CHARACTERS).replace(/\n$/, '').split('\n');
  const isCut = text.length > MOST_CHARACTERS || lines.length > MOST_LINES;
  return html`<pre class="numbered" tabindex="0"><code>${lines.slice(0, MOST_LINES).map((line, at) => html`<span id="L${at + 1}">${line}</span>\n`)}</code></pre>
${isCut && html`<p class="fine">The rest of this file is not shown.</p>`}`;
}

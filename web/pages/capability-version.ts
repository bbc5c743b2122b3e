import type { VersionDetail } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { copyable } from '../parts/copy.ts';
import { fetchSection } from '../parts/fetch-commands.ts';
import { filesSection, findingsSection } from '../parts/published.ts';
import { readmeSection } from '../parts/readme.ts';
import { ago, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/marketplace/{id}/versions/{version}`: one published version, which never changes. */
export const capabilityVersion: Page = {
  get: async ({ capstan, params: { id = '', version = '' }, site }) => {
    const it = await capstan.listings.getVersion({ id, version });
    const readme = await readmeSection(capstan, it, site);
    const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/marketplace">Marketplace</a> / <a href="${capabilityPath(id)}"><bdi>${cut(it.name, 120)}</bdi></a></p>
<h1><bdi>${cut(it.name, 120)}</bdi> ${it.version}</h1>
<p class="lead" dir="auto">${it.description}</p>
<p class="facts"><span class="kind ${it.execution_class}">${it.listing_type}</span><span>${it.status}</span><span>published ${ago(it.created_at, site.now())}</span><span>${it.license}</span></p>
${it.status_reason !== '' && html`<p class="standing" role="note" dir="auto">${cut(it.status_reason, 500)}</p>`}
</header>
<div class="body">${fetchSection(it, site.base_url)}${readme}${filesSection(it)}${findingsSection(it)}${claimSection(it)}</div>
</article>`;
    const title = `${cut(it.name, 80)} ${it.version}`;
    return { title, description: cut(it.description, 200), content, json: it.links.self };
  },
};

const claimSection = ({ claim }: VersionDetail): Html =>
  claim === null
    ? html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2><p class="fine">No wallet signed this version.</p></section>`
    : html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2>
<p>The wallet <code>${claim.wallet_address}</code> (${claim.wallet_type}) signed this text. Anybody can check it.</p>
${copyable(claim.text, 'text of the claim')}<p class="fine">Its signature:</p>${copyable(claim.signature, 'signature')}</section>`;

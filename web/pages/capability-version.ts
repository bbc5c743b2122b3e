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
    const versionDetail = await capstan.listings.getVersion({ id, version });
    const readme = await readmeSection(capstan, versionDetail, site);
    const content = html`<article class="detail">
<header class="head">
<p class="label"><a href="/marketplace">Browse</a> / <a href="${capabilityPath(id)}"><bdi>${cut(versionDetail.name, 120)}</bdi></a></p>
<h1><bdi>${cut(versionDetail.name, 120)}</bdi> ${versionDetail.version}</h1>
<p class="lead" dir="auto">${versionDetail.description}</p>
<p class="facts"><span class="kind ${versionDetail.execution_class}">${versionDetail.listing_type}</span><span>${versionDetail.status}</span><span>published ${ago(versionDetail.created_at, site.now())}</span><span>${versionDetail.license}</span></p>
${versionDetail.status_reason !== '' && html`<p class="standing" role="note" dir="auto">${cut(versionDetail.status_reason, 500)}</p>`}
</header>
<div class="body">${fetchSection(versionDetail, site.base_url)}${readme}${filesSection(versionDetail)}${findingsSection(versionDetail)}${claimSection(versionDetail)}</div>
</article>`;
    const title = `${cut(versionDetail.name, 80)} ${versionDetail.version}`;
    return { title, description: cut(versionDetail.description, 200), content, json: versionDetail.links.self };
  },
};

const claimSection = ({ claim }: VersionDetail): Html =>
  claim === null
    ? html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2><p class="fine">This version is not signed by a wallet.</p></section>`
    : html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2>
<p>The wallet <code>${claim.wallet_address}</code> (${claim.wallet_type}) signed this text. Anyone can verify it.</p>
${copyable(claim.text, 'text of the claim')}<p class="fine">Signature:</p>${copyable(claim.signature, 'signature')}</section>`;

import type { VersionDetail } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { copyable } from '../parts/copy.ts';
import { fetchSection } from '../parts/fetch-commands.ts';
import { filesSection, findingsSection } from '../parts/published.ts';
import { readmeSection } from '../parts/readme.ts';
import { ago, cut, strangersLink } from '../parts/words.ts';
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
<div class="body">${fetchSection(versionDetail, site.base_url)}${readme}${filesSection(versionDetail)}${findingsSection(versionDetail)}${workflowSection(versionDetail)}${claimSection(versionDetail)}</div>
</article>`;
    const title = `${cut(versionDetail.name, 80)} ${versionDetail.version}`;
    return { title, description: cut(versionDetail.description, 200), content, json: versionDetail.links.self };
  },
};

const workflowSection = ({ published_by }: VersionDetail): Html | null =>
  published_by === null
    ? null
    : html`<section aria-labelledby="workflow"><h2 id="workflow">Published by this workflow</h2>
<p>${strangersLink(published_by.repository_url, published_by.repository)}, <code>${cut(published_by.workflow, 200)}</code>, ${strangersLink(published_by.run_url, 'the run')}</p>
<p class="facts"><span><bdi>${cut(published_by.ref, 200)}</bdi></span>${published_by.sha !== '' && html`<span>commit <code>${published_by.sha.slice(0, 12)}</code></span>`}${published_by.environment !== '' && html`<span>environment <bdi>${cut(published_by.environment, 80)}</bdi></span>`}</p>
<p class="fine">The CI service certified this. We did not see the build.</p></section>`;

const claimSection = ({ claim }: VersionDetail): Html =>
  claim === null
    ? html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2><p class="fine">This version is not signed by a wallet.</p></section>`
    : html`<section aria-labelledby="claim"><h2 id="claim">Claim</h2>
<p>The wallet <code>${claim.wallet_address}</code> (${claim.wallet_type}) signed this text. Anyone can verify it.</p>
${copyable(claim.text, 'text of the claim')}<p class="fine">Signature:</p>${copyable(claim.signature, 'signature')}</section>`;

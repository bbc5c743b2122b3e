import { capabilityPath } from '../parts/capabilities.ts';
import { decisionsList, measuresList } from '../parts/standing.ts';
import { html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

/** `/marketplace/{id}/standing`: open moderation actions and all past decisions, including those of listings that were taken down. */
export const capabilityStanding: Page = {
  get: async ({ capstan, params: { id = '' }, site }) => {
    const moderation = await capstan.moderation.get({ id });
    if (moderation.id !== id) return { location: `${capabilityPath(moderation.id)}/standing`, status: 308 };
    const decisions = decisionsList(moderation, site.now());
    const content = html`<header class="head">
<p class="label"><a href="/marketplace">Browse</a> / ${moderation.status === 'taken_down' ? 'taken down' : html`<a href="${capabilityPath(id)}">capability</a>`}</p>
<h1>Moderation</h1></header>
<div class="body">${measuresList(id, moderation, site.now())}
<section aria-labelledby="decisions"><h2 id="decisions">History</h2>${decisions ?? html`<p class="fine">No decisions yet.</p>`}</section>
<p class="fine">Reports stay anonymous. <a href="/docs/moderation">How moderation works</a>. Also as <a href="/api/marketplace/listings/${encodeURIComponent(id)}/moderation" rel="nofollow">JSON</a>.</p></div>`;
    return { title: 'Capability moderation', content, unlisted: true };
  },
};

import { type Answer, purposeOf } from '../../../sdk/src/index.ts';
import { block } from '../../parts/block.ts';
import { capabilityPath } from '../../parts/capabilities.ts';
import { copyable } from '../../parts/copy.ts';
import { board } from '../../parts/dashboard.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, signedBy, signedForm } from '../../parts/signed-form.ts';
import { type Look, plainState } from '../../parts/state.ts';
import { ago, count, cut, strangersLink } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/publishing/{id}`: the versions of a listing and their withdrawal, and the CI workflows that may publish it. */

type Trusted = Answer<'marketplace.trustedPublishers.list'>['items'][number];
type Issuers = Answer<'marketplace.trustedPublishers.listIssuers'>['items'];
type Own = Answer<'marketplace.publishers.getOwn'>['listings'][number];
type Versions = NonNullable<Answer<'marketplace.listings.get'>['versions']>;

const idOf = ({ params }: Pick<OwnVisit, 'params'>): string => params.id as string;

export const published = ownPage({
  show: shown,
  acts: {
    trust: async (visit) => {
      const { capstan, form } = visit;
      const given = (name: string): string => (form.get(name) ?? '').trim();
      const environment = given('environment');
      const body = {
        issuer: given('issuer'),
        repository: given('repository'),
        workflow: given('workflow'),
        ...(environment === '' ? {} : { environment }),
      };
      await capstan.trustedPublishers.create({ id: idOf(visit), body }, signedBy(form));
      return { done: 'workflow_trusted' };
    },
    distrust: async (visit) => {
      const of = { id: idOf(visit), trusted_id: visit.form.get('trusted') ?? '' };
      await visit.capstan.trustedPublishers.delete(of);
      return { done: 'workflow_removed' };
    },
    withdraw: async (visit) => {
      const { capstan, form } = visit;
      const [change, version] = [form.get('change') ?? '', form.get('version') ?? ''];
      const reason = (form.get('reason') ?? '').trim();
      const of = { id: idOf(visit), body: { reason, ...(version === '' ? {} : { version }) } };
      if (change === 'unpublish') {
        await capstan.publishing.unpublish({ id: idOf(visit), body: { reason } });
        return { done: 'listing_unpublished', to: '/dashboard/publishing' };
      }
      if (change === 'yank') await capstan.publishing.yank(of);
      else if (change === 'restore') await capstan.publishing.restore(of);
      else await capstan.publishing.deprecate(of);
      return { done: 'versions_changed' };
    },
  },
});

async function shown(
  visit: OwnVisit,
  said: Said | null,
  form: URLSearchParams | null,
): Promise<View | { location: string }> {
  const { capstan, site } = visit;
  const { listings } = await capstan.publishers.getOwn();
  const own = listings.find(({ id }) => id === idOf(visit));
  if (own === undefined) return { location: '/dashboard/publishing' };
  const [trusted, { items: issuers }, versions] = await Promise.all([
    capstan.trustedPublishers.list({ id: own.id }),
    capstan.trustedPublishers.listIssuers(),
    versionsOf(visit, own),
  ]);
  const nowMs = site.now();
  const content = html`<div class="stack-wide">
${versions.length > 0 && versionsBlock(own, versions, form, nowMs)}
${trustedBlock(trusted.items, nowMs)}
${await trustForm(visit, own, issuers, form)}
${trusted.items.length > 0 && workflowBlock(own, trusted.items, site.base_url)}</div>`;
  return board({
    title: cut(own.name, 120),
    place: '/publishing',
    trail: html`<a href="/dashboard/publishing">Publishing</a>`,
    beside: html`<span class="ways"><a href="${capabilityPath(own.id)}">View listing</a><a class="button small" href="/publish?from=${encodeURIComponent(own.id)}" rel="nofollow">New version</a></span>`,
    said,
    content,
  });
}

/** A listing that was withdrawn has none that are public. */
async function versionsOf({ capstan }: OwnVisit, { id, status, taken_down }: Own): Promise<Versions> {
  if (status !== 'live' || taken_down) return [];
  return (await capstan.listings.get({ id })).versions ?? [];
}

const LOOKS: Record<string, Look> = { live: 'good', deprecated: 'warn', yanked: 'bad', unpublished: 'bad' };

const versionsBlock = ({ id }: Own, versions: Versions, form: URLSearchParams | null, nowMs: number): Html =>
  block({
    id: 'versions',
    title: 'Versions',
    label: count(versions.length),
    is_flush: true,
    content: html`<div class="scroll"><table class="t"><thead><tr><th scope="col">Version</th><th scope="col">State</th><th scope="col">Published</th><th scope="col">By</th></tr></thead>
<tbody>${versions
      .toReversed()
      .map(
        ({ version, status, status_reason, created_at, claimed, published_by }) =>
          html`<tr><th scope="row"><a href="${capabilityPath(id)}/versions/${encodeURIComponent(version)}">${version}</a></th><td>${plainState(LOOKS[status] ?? '', status[0]?.toUpperCase() + status.slice(1))}${status_reason !== '' && html` <span class="fine" dir="auto">${cut(status_reason, 120)}</span>`}</td><td>${ago(created_at, nowMs)}</td><td>${published_by === null ? (claimed ? 'you, signed' : 'you') : html`${strangersLink(published_by.run_url, published_by.workflow)}`}</td></tr>`,
      )}</tbody></table></div>
<details class="pad"><summary>Withdraw or restore versions</summary><form method="post" class="stack"><input type="hidden" name="do" value="withdraw">
<label>Version <select name="version"><option value="">All versions</option>${versions.toReversed().map(({ version }) => html`<option${form?.get('version') === version && html` selected`}>${version}</option>`)}</select></label>
<fieldset><legend>What to do</legend>
<label class="choice"><input type="radio" name="change" value="deprecate" checked> Deprecate: it still runs, and the reason is shown</label>
<label class="choice"><input type="radio" name="change" value="yank"> Yank: only clients that pinned it get it</label>
<label class="choice"><input type="radio" name="change" value="restore"> Restore what was deprecated or yanked</label>
<label class="choice"><input type="radio" name="change" value="unpublish"> Unpublish the whole listing and delete its files</label></fieldset>
<label>Public reason <input name="reason" required maxlength="500" value="${form?.get('reason') ?? ''}" autocomplete="off"></label>
<div><button type="submit" class="button plain">Apply</button></div></form></details>`,
  });

const trustedBlock = (items: readonly Trusted[], nowMs: number): Html =>
  block({
    id: 'trusted',
    title: 'Published from CI',
    label: items.length === 0 ? 'no workflow is trusted' : count(items.length),
    is_flush: items.length > 0,
    content:
      items.length === 0
        ? html`<p>A workflow of your repository can publish new versions without a stored key. <a href="/docs/publish-from-ci">How it works</a></p>`
        : html`<ul class="answers">${items.map(
            ({ id, repository, repository_url, workflow, environment, last_used_at, issuer }) =>
              html`<li><span></span><div><p>${strangersLink(repository_url, repository)} <code>${cut(workflow, 120)}</code></p><p class="fine">${issuer}${environment !== '' && html`, environment <bdi>${cut(environment, 80)}</bdi>`}, ${last_used_at === null ? 'not used yet' : html`last used ${ago(last_used_at, nowMs)}`}</p></div>
<form method="post"><input type="hidden" name="do" value="distrust"><input type="hidden" name="trusted" value="${id}"><button type="submit" class="button plain small">Remove<span class="hidden"> ${cut(workflow, 60)} of ${cut(repository, 80)}</span></button></form></li>`,
          )}</ul>`,
  });

async function trustForm(visit: OwnVisit, { id }: Own, issuers: Issuers, form: URLSearchParams | null): Promise<Html> {
  const value = (name: string): string => (form?.get('do') === 'trust' ? (form.get(name) ?? '') : '');
  const fields = html`${
    issuers.length === 1
      ? html`<input type="hidden" name="issuer" value="${issuers[0]?.name}">`
      : html`<label>CI service <select name="issuer">${issuers.map(({ name }) => html`<option${name === value('issuer') && html` selected`}>${name}</option>`)}</select></label>`
  }
<label>Repository <input name="repository" required maxlength="500" value="${value('repository')}" placeholder="owner/name" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<label>Workflow <span class="label">file in .github/workflows</span><input name="workflow" required maxlength="200" value="${value('workflow')}" placeholder="release.yml" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<label>Environment <span class="label">optional; then a person can approve each publication</span><input name="environment" maxlength="255" value="${value('environment')}" placeholder="release" spellcheck="false" autocapitalize="none" autocomplete="off"></label>`;
  const states = { issuer: 'issuer', repository: 'repository', workflow: 'workflow', environment: 'environment' };
  const confirms = purposeOf('marketplace.trustedPublishers.create', { id });
  const content = (await hasWallet(visit))
    ? html`<p class="fine">Your device or wallet confirms it, because the workflow can then publish in your name.</p>${signedForm({ name: 'trust', button: 'Trust this workflow', fields, states, confirms })}`
    : html`<form method="post" class="stack"><input type="hidden" name="do" value="trust">${fields}<div><button type="submit" class="button">Trust this workflow</button></div></form>`;
  return block({ id: 'trust', title: 'Trust a workflow', content: html`<div class="stack">${content}</div>` });
}

function workflowBlock({ name }: Own, [first]: readonly Trusted[], base_url: string): Html | null {
  if (first === undefined || first.issuer !== 'github') return null;
  const [, plain = ''] = name.split('/');
  const text = `name: Release
on:
  release:
    types: [published]
permissions: {}
jobs:
  publish:
    runs-on: ubuntu-latest${first.environment === '' ? '' : `\n    environment: ${JSON.stringify(first.environment)}`}
    permissions:
      contents: read
      id-token: write
    env:
      CAPSTAN_URL: ${base_url}
    steps:
      - uses: actions/checkout@v5
        with:
          persist-credentials: false
      - run: npm install --global @capstan/cli
      - run: capstan publish ./${plain} ${name} --ci --release "\${GITHUB_REF_NAME#v}" --license MIT
`;
  return block({
    id: 'workflow',
    title: html`<code>.github/workflows/${cut(first.workflow, 80)}</code>`,
    content: html`<p class="fine">Change the folder and the license, and commit it. Each release then publishes a version with its tag.</p>${copyable(text, 'the workflow')}`,
  });
}

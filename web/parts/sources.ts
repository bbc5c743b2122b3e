import type { ListingDetail } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { providerName, providerTile } from './icon.ts';
import { listingPath } from './listings.ts';
import { plainState } from './state.ts';
import { count, counted, cut, strangersLink } from './words.ts';

/** The providers of a capability, the evidence that their listings are the same, and where they differ. */

type Member = NonNullable<ListingDetail['members']>[number];

export function sourcesSection({ members = [], provenance = {}, conflicts }: ListingDetail): Html | null {
  if (members.length === 0) return null;
  return html`<section aria-labelledby="sources"><h2 id="sources">Sources <span class="label">${count(members.length)}</span></h2>
<ol class="sources">${members.slice(0, MOST_SOURCES).map((member, at) => source(member, members.length > 1, at === 0))}</ol>
${members.length > MOST_SOURCES && html`<p class="fine">And ${count(members.length - MOST_SOURCES)} more.</p>`}
${members.length > 1 && saying(members, provenance, new Set(conflicts.map(({ field }) => field)))}
</section>`;
}

const MOST_SOURCES = 50;

const source = (member: Member, isOneOfSeveral: boolean, isFirst: boolean): Html => html`<li>
<p class="where">${providerTile(member.provider)}<strong>${providerName(member.provider)}</strong>
${member.provider === 'capstan' ? html`<code>${member.external_id}</code>` : html`<a href="${listingPath(member.provider, member.external_id)}"><bdi>${cut(member.external_id, 120)}</bdi></a>`}</p>
<p class="facts">${member.version !== '' && html`<span>version <bdi>${cut(member.version, 40)}</bdi></span>`}
${counted(member.downloads, 'download')}
${counted(member.stars, 'star')}
${member.is_copy && html`<span class="tag warn" title="Its account owns none of the repositories that the sources name.">Copy by another owner</span>`}</p>
${member.description !== '' && html`<p class="fine" dir="auto"><q>${cut(member.description, 300)}</q></p>`}
${isOneOfSeveral && why(member, isFirst)}
</li>`;

function why({ confidence, evidence }: Member, isFirst: boolean): Html | null {
  if (evidence.length === 0) return null;
  return html`<details class="why-one"><summary>${isFirst && confidence === 1 ? 'Why these listings are the same' : `Match: ${percent(confidence)}`}</summary>
<ul>${evidence.map(
    (
      entry,
    ) => html`<li>With <bdi>${providerName(entry.with.provider)}: ${cut(entry.with.external_id, 100)}</bdi>, ${percent(entry.confidence)}
<ul>${entry.evidence.map((one) => html`<li>${fact(one)}</li>`)}${entry.against.map((one) => html`<li class="against">Evidence against: ${fact(one)}</li>`)}</ul></li>`,
  )}</ul></details>`;
}

const percent = (share: number): string => `${Math.round(share * 100)}% sure`;

const fact = ({ kind, value }: { kind: string; value: string }): Html =>
  html`${EVIDENCE[kind] ?? kind.replaceAll('_', ' ')}${value !== '' && html`: <code>${cut(value, 160)}</code>`}`;

const EVIDENCE: Record<string, string> = {
  operator: 'linked by an operator',
  package: 'same package',
  remote: 'same server address',
  gateway: 'same gateway',
  directory_id: 'same id in a directory',
  repository: 'same repository',
  repository_and_name: 'same repository and name',
  repository_and_folder: 'same repository and folder',
  repository_and_description: 'same repository and description',
  repository_and_text: 'same repository, similar descriptions',
  repository_of_id: 'one’s id is the other’s repository',
  owner_and_name: 'same owner and name',
  only_slug: 'unique name, similar descriptions',
  only_name: 'unique name',
  name_and_text: 'same name, similar descriptions',
  name_of_maker: 'named after its maker',
  text: 'similar descriptions',
  word_and_text: 'a rare word in the name, similar descriptions',
  other_owner: 'different owners',
};

const FIELDS = ['name', 'version', 'author', 'license', 'repository', 'homepage'] as const;

function saying(
  members: readonly Member[],
  provenance: NonNullable<ListingDetail['provenance']>,
  conflicts: Set<string>,
): Html {
  const rows = FIELDS.map((field): [string, Value] => {
    const from = provenance[field];
    const saying = members.filter((member) => member[field] !== '');
    const values = Map.groupBy(saying, (member) => member[field]);
    const said = [...values].map(([value, by]) => {
      const isShown = by.some((entry) => entry.provider === from?.provider && entry.external_id === from.external_id);
      return html`<li${isShown && html` class="shown"`}>${strangersValue(field, value)} <span class="label">${[...new Set(by.map(({ provider }) => providerName(provider)))].join(', ')}${isShown && values.size > 1 && ', shown'}</span></li>`;
    });
    return [field, said.length > 0 && html`<ul>${said}</ul>`];
  });
  return html`<h3 id="says">Metadata by source</h3>
<dl class="says">${rows.map(([field, said]) => said !== false && html`<div><dt>${field}${conflicts.has(field) && html` ${plainState('warn', 'differs')}`}</dt><dd>${said}</dd></div>`)}</dl>`;
}

const strangersValue = (field: string, value: string): Value =>
  field === 'repository' || field === 'homepage' ? strangersLink(value) : html`<bdi>${cut(value, 160)}</bdi>`;

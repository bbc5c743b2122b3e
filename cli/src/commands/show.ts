import type { Answer } from '../../../sdk/src/index.ts';
import { command } from '../command.ts';
import { cut, facts, type Paint, safe } from '../output.ts';
import { listedRefOf, REF } from '../ref.ts';
import { findingLines, levelText, upstreamLines } from '../verification.ts';

export const show = command('show <ref>', {
  summary: 'show details, installation and runnability of a capability',
  about: 'Show a listing, a marketplace capability or a built-in skill.',
  args: REF,
  async call({ capstan, show }, asked) {
    const ref = listedRefOf(asked.ref);
    if (ref.kind === 'listing') show(await capstan.items.get({ provider: ref.provider, id: ref.id }), listingText);
    else if (ref.kind === 'skill') show(await capstan.skills.get({ name: ref.ref }), skillText);
    else show(await capstan.listings.get({ id: ref.ref }), capabilityText);
  },
});

const head = (name: string, description: string, paint: Paint): string =>
  [paint('bold', safe(name)), ...(description === '' ? [] : [cut(description, 600)]), ''].join('\n');

function listingText(item: Answer<'catalog.items.get'>, paint: Paint): string {
  const { runnable, installs } = item;
  return [
    head(item.name, item.description, paint),
    facts({
      ref: `${item.provider_id}/${item.external_id}`,
      kind: `${item.listing_type}, ${item.execution_class}`,
      status: statusText(item.status),
      version: item.version,
      published: item.published_at ?? '',
      author: item.author,
      license: item.license,
      homepage: item.homepage,
      repository: item.repository,
      tags: item.tags.join(', '),
      used: used(item),
      level: levelText(item.verification),
      findings: findingLines(item.verification).join('\n'),
      providers: upstreamLines(item.verification).join('\n'),
      runs: runsText(runnable),
    }),
    ...(item.tools === null ? [] : ['', paint('bold', `Tools (${item.tools.length})`), ...item.tools.map(toolLine)]),
    ...howText(installs, paint),
  ].join('\n');
}

function statusText(status: Answer<'catalog.items.get'>['status']): string {
  if (status === null || status.status === 'active') return '';
  return status.message === undefined ? status.status : `${status.status}: ${status.message}`;
}

function runsText({ reason, detail, checked_at }: Answer<'catalog.items.get'>['runnable']): string {
  const said = detail === '' ? [] : [detail];
  const checked = checked_at === null ? [] : [`Checked ${checked_at}.`];
  const notes = [...said, ...checked].join(' ');
  return `${reason ?? 'unknown'}${notes === '' ? '' : ` (${notes})`}`;
}

const used = ({ downloads, stars }: { downloads: number; stars: number }): string =>
  [downloads > 0 ? `${downloads} downloads` : '', stars > 0 ? `${stars} stars` : ''].filter(Boolean).join(', ');

const toolLine = ({ name, description }: { name: string; description: string }): string =>
  `  ${safe(name)}${description === '' ? '' : `  ${cut(description, 90)}`}`;

function howText({ command, clients }: Answer<'catalog.items.get'>['installs'], paint: Paint): string[] {
  const lines = clients
    .filter((client) => client.command !== '')
    .map((client) => `  ${client.title}: ${safe(client.command)}`);
  const all = command === '' ? lines : [`  ${safe(command)}`, ...lines];
  return all.length === 0 ? [] : ['', paint('bold', 'Install'), ...all];
}

const skillText = (skill: Answer<'runtime.skills.get'>, paint: Paint): string =>
  [
    head(skill.name, skill.description, paint),
    facts({
      kind: `skill, ${skill.execution_class}`,
      version: skill.version,
      license: skill.license,
      digest: skill.digest,
      needs: skill.compatibility,
    }),
    ...(skill.example === undefined
      ? []
      : [
          '',
          paint('bold', 'Try it'),
          `  capstan run ${skill.name} --input ${quoted(JSON.stringify(skill.example.input))}`,
        ]),
  ].join('\n');

/** Quotes a word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function capabilityText(listing: Answer<'marketplace.listings.get'>, paint: Paint): string {
  return [
    head(listing.name, listing.description, paint),
    facts({
      id: listing.id,
      kind: `${listing.listing_type}, ${listing.execution_class}`,
      author: listing.author,
      publisher: listing.publisher?.name,
      tags: listing.tags.join(', '),
      used: used(listing),
      level: levelText(listing.verification),
      flagged: (listing.flags ?? []).map(({ kind, by, reason }) => `${kind}, by ${by}: ${reason}`).join('\n'),
      caution: listing.resembles?.detail,
      findings: findingLines(listing.verification).join('\n'),
      providers: upstreamLines(listing.verification).join('\n'),
      sources: listing.sources
        .map(({ provider, external_id, version }) => `${provider}/${external_id} ${version}`)
        .join('\n'),
      conflicts: listing.conflicts.map(({ field, values }) => `${field}: ${values.join(' | ')}`).join('\n'),
    }),
  ].join('\n');
}

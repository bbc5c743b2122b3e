import type { Answer } from '../../../sdk/src/index.ts';
import { command } from '../command.ts';
import { cut, facts, type Paint, safe } from '../output.ts';
import { REF, refOf } from '../ref.ts';
import { findingLines, levelText, upstreamLines } from '../verification.ts';

export const show = command('show <ref>', {
  summary: 'show details, installation and runnability of a capability',
  about: 'Show a listing, a marketplace capability or a built-in skill.',
  args: REF,
  async call({ capstan, show }, asked) {
    const ref = refOf(asked.ref);
    if (ref.kind === 'listing') show(await capstan.items.get({ provider: ref.provider, id: ref.id }), listingText);
    else if (ref.kind === 'skill') show(await capstan.skills.get({ name: ref.ref }), skillText);
    else show(await capstan.listings.get({ id: ref.ref }), capabilityText);
  },
});

const head = (name: string, description: string, paint: Paint): string =>
  [paint('bold', safe(name)), ...(description === '' ? [] : [cut(description, 600)]), ''].join('\n');

function listingText(it: Answer<'catalog.items.get'>, paint: Paint): string {
  const { runnable, installs } = it;
  return [
    head(it.name, it.description, paint),
    facts({
      ref: `${it.provider_id}/${it.external_id}`,
      kind: `${it.listing_type}, ${it.execution_class}`,
      version: it.version,
      author: it.author,
      licence: it.license,
      homepage: it.homepage,
      repository: it.repository,
      tags: it.tags.join(', '),
      used: used(it),
      level: levelText(it.verification),
      findings: findingLines(it.verification).join('\n'),
      providers: upstreamLines(it.verification).join('\n'),
      runs: `${runnable.reason ?? 'unknown'}${runnable.detail === '' ? '' : ` (${runnable.detail})`}`,
    }),
    ...(it.tools === null ? [] : ['', paint('bold', `Tools (${it.tools.length})`), ...it.tools.map(toolLine)]),
    ...howText(installs, paint),
  ].join('\n');
}

const used = ({ downloads, stars }: { downloads: number; stars: number }): string =>
  [downloads > 0 ? `${downloads} downloads` : '', stars > 0 ? `${stars} stars` : ''].filter(Boolean).join(', ');

const toolLine = ({ name, description }: { name: string; description: string }): string =>
  `  ${safe(name)}${description === '' ? '' : `  ${cut(description, 90)}`}`;

function howText({ command, clients }: Answer<'catalog.items.get'>['installs'], paint: Paint): string[] {
  const lines = clients.filter((it) => it.command !== '').map((it) => `  ${it.title}: ${safe(it.command)}`);
  const all = command === '' ? lines : [`  ${safe(command)}`, ...lines];
  return all.length === 0 ? [] : ['', paint('bold', 'Install'), ...all];
}

const skillText = (it: Answer<'runtime.skills.get'>, paint: Paint): string =>
  [
    head(it.name, it.description, paint),
    facts({
      kind: `skill, ${it.execution_class}`,
      version: it.version,
      licence: it.license,
      digest: it.digest,
      needs: it.compatibility,
    }),
    ...(it.example === undefined
      ? []
      : ['', paint('bold', 'Try it'), `  capstan run ${it.name} --input ${quoted(JSON.stringify(it.example.input))}`]),
  ].join('\n');

/** As one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function capabilityText(it: Answer<'marketplace.listings.get'>, paint: Paint): string {
  return [
    head(it.name, it.description, paint),
    facts({
      id: it.id,
      kind: `${it.listing_type}, ${it.execution_class}`,
      author: it.author,
      publisher: it.publisher?.name,
      tags: it.tags.join(', '),
      used: used(it),
      level: levelText(it.verification),
      flagged: (it.flags ?? []).map(({ kind, by, reason }) => `${kind}, by ${by}: ${reason}`).join('\n'),
      findings: findingLines(it.verification).join('\n'),
      providers: upstreamLines(it.verification).join('\n'),
      sources: it.sources
        .map(({ provider, external_id, version }) => `${provider}/${external_id} ${version}`)
        .join('\n'),
      conflicts: it.conflicts.map(({ field, values }) => `${field}: ${values.join(' | ')}`).join('\n'),
    }),
  ].join('\n');
}

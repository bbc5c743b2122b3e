import type { Command } from 'commander';
import type { Answer, Capstan } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { cut, facts, type Paint, safe } from '../output.ts';
import { refOf } from '../ref.ts';
import type { World } from '../world.ts';

export function addShow(program: Command, world: World): void {
  program
    .command('show')
    .summary('what a capability is, how it is had, whether it runs')
    .description('Show a listing, a capability of the marketplace, or a skill of the service.')
    .argument('<ref>', 'provider/id, an id of the marketplace, or the name of a skill')
    .action(async (text: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const ref = refOf(text);
      if (ref.kind === 'listing')
        context.show(await capstan.registry.getItem({ provider: ref.provider, id: ref.id }), listingText);
      else if (ref.kind === 'skill') context.show(await capstan.skills.getSkill({ name: ref.name }), skillText);
      else context.show(await capstan.marketplace.getListing({ id: ref.id }), capabilityText);
    });
}

const head = (name: string, description: string, paint: Paint): string =>
  [paint('bold', safe(name)), ...(description === '' ? [] : [cut(description, 600)]), ''].join('\n');

function listingText(it: Answer<'registry.getItem'>, paint: Paint): string {
  const { runnable, installs } = it;
  return [
    head(it.name, it.description, paint),
    facts([
      ...([
        ['ref', `${it.provider_id}/${it.external_id}`],
        ['kind', `${it.listing_type}, ${it.execution_class}`],
      ] as const),
      ...([
        ['version', it.version],
        ['author', it.author],
        ['licence', it.license],
      ] as const),
      ...([
        ['homepage', it.homepage],
        ['repository', it.repository],
        ['tags', it.tags.join(', ')],
      ] as const),
      ...([
        ['used', used(it)],
        ['proof', it.verification.level],
      ] as const),
      ['runs', `${runnable.reason ?? 'not known'}${runnable.detail === '' ? '' : ` (${runnable.detail})`}`],
    ]),
    ...(it.tools === null ? [] : ['', paint('bold', `Tools (${it.tools.length})`), ...it.tools.map(toolLine)]),
    ...howText(installs, paint),
  ].join('\n');
}

const used = ({ downloads, stars }: { downloads: number; stars: number }): string =>
  [downloads > 0 ? `${downloads} downloads` : '', stars > 0 ? `${stars} stars` : ''].filter(Boolean).join(', ');

const toolLine = ({ name, description }: { name: string; description: string }): string =>
  `  ${safe(name)}${description === '' ? '' : `  ${cut(description, 90)}`}`;

function howText({ command, clients }: Answer<'registry.getItem'>['installs'], paint: Paint): string[] {
  const lines = clients.filter((it) => it.command !== '').map((it) => `  ${it.title}: ${safe(it.command)}`);
  const all = command === '' ? lines : [`  ${safe(command)}`, ...lines];
  return all.length === 0 ? [] : ['', paint('bold', 'Install'), ...all];
}

const skillText = (it: Answer<'skills.getSkill'>, paint: Paint): string =>
  [
    head(it.name, it.description, paint),
    facts([
      ...([
        ['kind', `skill, ${it.execution_class}`],
        ['version', it.version],
        ['licence', it.license],
      ] as const),
      ...([
        ['digest', it.digest],
        ['needs', it.compatibility],
      ] as const),
    ]),
    ...(it.example === undefined
      ? []
      : [
          '',
          paint('bold', 'Try it'),
          `  capstan run ${it.name} --input '${JSON.stringify(it.example.input).replaceAll("'", `'\\''`)}'`,
        ]),
  ].join('\n');

function capabilityText(it: Awaited<ReturnType<Capstan['marketplace']['getListing']>>, paint: Paint): string {
  return [
    head(it.name, it.description, paint),
    facts([
      ...([
        ['id', it.id],
        ['kind', `${it.listing_type}, ${it.execution_class}`],
        ['author', it.author],
      ] as const),
      ...([
        ['publisher', it.publisher?.name ?? ''],
        ['tags', it.tags.join(', ')],
        ['used', used(it)],
      ] as const),
      ['proof', it.verification.level],
      ...it.sources.map(
        ({ provider, external_id, version }) => ['source', `${provider}/${external_id} ${version}`] as const,
      ),
      ...it.conflicts.map(({ field, values }) => ['conflict', `${field}: ${values.join(' | ')}`] as const),
    ]),
  ].join('\n');
}

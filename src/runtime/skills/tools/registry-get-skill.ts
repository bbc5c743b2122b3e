import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { catalogProblem } from '#catalog/errors.ts';
import type { ReadPlaces } from '#catalog/identity/named.ts';
import { readName } from '#catalog/identity/read-name.ts';
import { installAdvice } from '#catalog/install/install-advice.ts';
import { installHint, storedHint } from '#catalog/install/install-hint.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { itemOf } from '#catalog/items/listing-row.ts';
import { listingUri } from '#catalog/items/listing-uri.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { ReadRunnable } from '#catalog/items/runnable.ts';
import { type Nearest, withNearest } from '#catalog/search/nearest.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type ToolAnswer, tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted } from '#core/tools/words.ts';
import { findSkill } from '../find-skill.ts';
import type { SkillStore } from '../load-skills.ts';
import type { Skill } from '../skill.ts';
import { skillUri } from '../skill-uri.ts';

export interface RegistryGetSkillDeps {
  skills: SkillStore;
  db: Kysely<Schema>;
  clock: Clock;
  runnable: ReadRunnable;
  /** The web page with the files of a listed skill; null if unknown. */
  filesAt(row: ListingRow): string | null;
  /** Looks up names; if omitted, skills are found by their own name, or by provider and id. */
  places?: ReadPlaces | undefined;
  nearest?: Nearest | undefined;
}

const text = Type.String();

const SkillAnswer = Type.Object({
  name: text,
  description: text,
  execution_class: text,
  body: Type.String({ description: 'SKILL.md after its frontmatter; empty for a listing.' }),
  files: Type.Array(Type.Object({ path: text, size: Type.Integer() })),
  files_at: text,
  install: text,
  runnable: text,
  next: Type.Union([Next, Type.Null()], { description: 'Null if it cannot run here.' }),
});
type SkillAnswer = Static<typeof SkillAnswer> & Record<'origin' | 'version' | 'license' | 'compatibility', string>;

export const registryGetSkill = (deps: RegistryGetSkillDeps) =>
  tool({
    name: 'registry_get_skill',
    title: 'Get a skill',
    description:
      'A skill with everything needed to follow or run it. By `name` a skill of this service: its instructions, files, an ' +
      'example and the call that runs it. By `provider` and `external_id` a listed one: its metadata, where its files are, ' +
      'whether it runs here. Then task_create runs it, or resources/read fetches files.',
    scope: null,
    input: Type.Object(
      {
        name: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description:
              'Name of a skill of this service, or any name of a listed one: an id from a list, search or page, or `provider/external_id`.',
          }),
        ),
        provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'The provider that lists it.' })),
        external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'With `provider`.' })),
      },
      { additionalProperties: false },
    ),
    output: SkillAnswer,
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { name: 'json-diff' },
    run: async ({ name, provider, external_id }) => {
      if (name !== undefined && provider === undefined && external_id === undefined) return namedSkill(deps, name);
      if (name !== undefined || provider === undefined || external_id === undefined) throw unclear();
      return listedSkill(deps, await findLiveListing(deps.db, { provider, external_id }, deps.clock.now()));
    },
  });

async function namedSkill(deps: RegistryGetSkillDeps, text: string): Promise<ToolAnswer<SkillAnswer>> {
  const name = readName(text);
  if (name?.form === 'skill' || name?.form === 'word' || name === null || deps.places === undefined)
    return ownSkill(ownNamed(deps, name?.form === 'skill' ? name.name : text));
  const places = await deps.places(text);
  const listed = places.find(({ provider }) => provider !== OWN_SOURCE);
  if (listed !== undefined) return listedSkill(deps, await findLiveListing(deps.db, listed, deps.clock.now()));
  const detail =
    places.length === 0
      ? `Nothing is named ${quoted(text)}.`
      : `${quoted(text)} is published here: registry_get_listing returns it.`;
  throw withNearest(catalogProblem('registry.not_found', detail), places.length === 0 ? deps.nearest : undefined, text);
}

function ownNamed({ skills, nearest }: RegistryGetSkillDeps, name: string): Skill {
  try {
    return findSkill(skills, name);
  } catch (error) {
    throw withNearest(error, nearest, name);
  }
}

const unclear = (): Problem =>
  coreProblem(
    'http.invalid',
    'Name one skill: `name` for one of this service, or `provider` and `external_id` for a listed one.',
    {
      reason: 'input',
      errors: [{ pointer: '/name', detail: 'is needed alone, or provider and external_id without it' }],
    },
  );

function ownSkill(skill: Skill): ToolAnswer<SkillAnswer> {
  const { name, description, version, license, execution_class, compatibility, body } = skill;
  const capability = { kind: 'skill', ref: name };
  const next = { tool: 'task_create', arguments: { capability, input: skill.example?.input ?? {} } };
  const structured: SkillAnswer = {
    origin: 'first_party',
    name,
    description,
    version,
    license,
    execution_class,
    compatibility,
    body,
    files: skill.files.map(({ path, size }) => ({ path, size })),
    files_at: `skill://${name}/`,
    install: '',
    runnable:
      execution_class === 'prompt' ? 'By following its instructions, or by a model here.' : 'Yes, in the sandbox.',
    next,
  };
  const files = structured.files.map(({ path, size }) => `${path} (${size} B)`).join(', ');
  return {
    structured,
    text: [
      `${name} ${version} (${execution_class}): ${description}`,
      ...(compatibility === '' ? [] : [`Needs: ${compatibility}`]),
      `Files under ${structured.files_at}: ${files}`,
      `Run it (with a token): ${nextText(next)}, then task_start.`,
      `\n${body.trim()}`,
    ].join('\n'),
    links: skill.files.map(({ path, media_type }) => ({ uri: skillUri(name, path), name: path, media_type })),
  };
}

async function listedSkill(deps: RegistryGetSkillDeps, row: ListingRow): Promise<ToolAnswer<SkillAnswer>> {
  const item = itemOf(row);
  const { runnable } = await deps.runnable(row);
  const { provider_id: provider, external_id } = item;
  const capability = { kind: 'listing', ref: `${provider}/${external_id}` };
  const cannot = runnable.reason !== null && runnable.reason !== 'ok';
  const structured: SkillAnswer = {
    origin: 'listing',
    name: plain(item.name),
    description: plain(item.description, 1_000),
    version: plain(item.version),
    license: plain(row.license),
    execution_class: item.execution_class,
    compatibility: '',
    body: '',
    files: [],
    files_at: deps.filesAt(row) ?? '',
    install: installHint(item, storedHint(row.install)),
    runnable: plain(runnable.detail, 300),
    next: cannot ? null : { tool: 'task_create', arguments: { capability, input: {} } },
  };
  const { files_at, install, next } = structured;
  return {
    structured,
    text: [
      `${quoted(structured.name)} (${item.listing_type}, ${item.execution_class}, ${provider} ${plain(external_id, 1_000)}). ${DATA_NOTE}`,
      ...(structured.description === '' ? [] : [quoted(structured.description, 1_000)]),
      `Files: ${files_at === '' ? 'unknown location' : files_at}`,
      ...(install === '' ? [] : [`Install: ${install}`]),
      `Runs here: ${cannot ? runnable.reason : 'yes'}. ${structured.runnable}`,
      next === null
        ? installAdvice({ install, homepage: item.homepage, repository: row.repository })
        : `Next: ${nextText(next)}, then task_start (both need a token).`,
    ].join('\n'),
    links: [{ uri: listingUri(provider, external_id), name: structured.name, media_type: 'text/markdown' }],
  };
}

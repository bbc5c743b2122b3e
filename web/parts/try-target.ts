import { type Capstan, CapstanError, type ItemDetail, type Operations } from '../../sdk/src/index.ts';
import { isId, type Ref } from './capability-ref.ts';
import { needsModel } from './run-ability.ts';
import type { SkillGrants } from './skill-needs.ts';
import { count } from './words.ts';

/** What the form of a run needs to know about the capability. */

export interface TryTarget {
  name: string;
  description: string;
  schema: Record<string, unknown> | null;
  /** An input that works. */
  example?: unknown;
  /** The tools of a server to choose from; null if they are not known yet. */
  tools?: readonly { name: string; description: string }[] | null;
  /** The chosen tool: the input is then `{tool, arguments}`. */
  tool?: string;
  /** What the scripts of a listed or published skill need, and what the reader gave it; null for everything else. */
  grants?: SkillGrants | null;
  /** Whether it may run without an account. */
  is_open?: boolean;
  /** What is left of such runs; absent if it is not open, or for readers with an account. */
  trial?: Trial | null;
  /** Whether only a language model can run it. */
  needs_model?: boolean;
  /** The name by which it runs, for a marketplace listing. */
  source?: string;
  /** What may prevent the run, or what the reader should know before. */
  note: string | null;
}

export type Trial = Pick<Operations['trials']['getStatus']['answer'], 'per_day' | 'runs_left' | 'input_bytes'>;

type Find = (capstan: Capstan, ref: string, tool: string) => Promise<TryTarget>;

export const findTarget = (capstan: Capstan, { kind, ref }: Ref, tool: string): Promise<TryTarget> =>
  FIND[kind](capstan, ref, tool);

const ofSkill: Find = async (capstan, ref) => {
  const skill = await capstan.skills.get({ name: ref });
  const path = 'assets/input.schema.json';
  const hasSchema = skill.files.some((file) => file.path === path);
  const schema = hasSchema ? await capstan.skills.getFile({ name: ref, path }) : null;
  return {
    name: skill.name,
    description: skill.description,
    schema: asSchema(schema),
    is_open: skill.execution_class === 'scripted',
    needs_model: skill.execution_class === 'prompt',
    ...(skill.example === undefined ? {} : { example: skill.example.input }),
    note:
      skill.execution_class === 'prompt'
        ? 'A language model runs this. It uses one request of your daily quota.'
        : null,
  };
};

const ofListing: Find = async (capstan, ref, tool) => {
  const slash = ref.indexOf('/');
  const [provider, id] = [ref.slice(0, slash), ref.slice(slash + 1)] as [ItemDetail['provider_id'], string];
  const item = await capstan.items.get({ provider, id });
  const { name, description } = item;
  const known = { name, description, note: noteOf(item), needs_model: needsModel(item) };
  if (item.execution_class !== 'mcp') return { ...known, schema: null };
  const chosen = item.tools?.find(({ name }) => name === tool);
  const tools = item.tools?.map(({ name, description }) => ({ name, description })) ?? null;
  return {
    ...known,
    tools,
    ...(tool === '' ? {} : { tool }),
    ...(chosen === undefined ? {} : { description: chosen.description }),
    schema: chosen?.input_schema ?? null,
    is_open:
      chosen?.annotations?.readOnlyHint === true && item.runnable.reason === 'ok' && item.runnable.package == null,
  };
};

function noteOf({ runnable, execution_class }: ItemDetail): string | null {
  const { reason, detail, tool_count, package: started } = runnable;
  if (reason !== null && reason !== 'ok') return detail;
  if (started != null)
    return `Starts its package in a sandbox for this run, without network access.${toolsNote(tool_count)}`;
  if (execution_class === 'prompt') return 'A language model runs this. It uses one request of your daily quota.';
  if (execution_class === 'scripted') return 'A third-party script. It runs in a sandbox without network access.';
  return `Sends your input to a third-party server.${toolsNote(tool_count)}`;
}

const toolsNote = (toolCount: number | null): string =>
  toolCount === null ? '' : ` It has ${count(toolCount)} ${toolCount === 1 ? 'tool' : 'tools'}.`;

const ofConnection: Find = async (capstan, ref) => {
  const [id = '', ...name] = ref.split('/');
  const [{ items }, connection] = await Promise.all([capstan.tools.list({ id }), capstan.connections.get({ id })]);
  const item = items.find((tool) => tool.name === name.join('/'));
  if (item === undefined) throw unknown(`This connection has no tool ${name.join('/')}.`);
  const note = `Calls the server of your connection “${connection.name}” with its credentials.`;
  return { name: item.title || item.name, description: item.description, schema: item.input_schema, note };
};

const ofRig: Find = async (capstan, ref) => {
  const { name, description } = await capstan.rigs.get({ id: ref });
  return {
    name,
    description,
    schema: null,
    note: 'Runs the locked versions. If a part has changed since, the run fails.',
  };
};

/** Its files are read with a signature only, so the form knows just what every harness accepts. */
const ofHarness: Find = async (_capstan, ref) => ({
  name: isId(ref) ? 'your harness' : ref,
  description: 'A harness of yours.',
  schema: {
    type: 'object',
    properties: { prompt: { type: 'string', minLength: 1, maxLength: 100_000, description: 'The task.' } },
    required: ['prompt'],
  },
  needs_model: true,
  note: 'A language model runs this. It uses one request of your daily quota.',
});

/** Resolves to the source that runs, if that is a bundled skill or a provider's listing. */
const ofCapability: Find = async (capstan, ref, tool) => {
  if (ref.startsWith('skill/')) return ofSkill(capstan, ref.slice('skill/'.length), tool);
  const listing = await capstan.listings.get({ id: ref });
  const { name, description, listing_type, publisher, runnable, sources } = listing;
  const source = runnable?.via ?? sources.find(({ provider }) => provider !== 'capstan');
  if (source !== undefined && sources.every(({ provider }) => provider !== 'capstan'))
    return {
      ...(await ofListing(capstan, `${source.provider}/${source.external_id}`, tool)),
      name,
      description,
      source: `${source.provider}/${source.external_id}`,
    };
  const by = publisher === null ? '' : ` Published by ${publisher.name}.`;
  const note = `A ${listing_type} published here.${by}`;
  return { name, description, schema: null, needs_model: needsModel(listing), note };
};

const FIND = {
  skill: ofSkill,
  listing: ofListing,
  connection: ofConnection,
  rig: ofRig,
  harness: ofHarness,
  capability: ofCapability,
};

function asSchema(file: unknown): Record<string, unknown> | null {
  const value: unknown = file instanceof Uint8Array ? JSON.parse(Buffer.from(file).toString('utf8')) : file;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

const unknown = (detail: string): CapstanError =>
  new CapstanError({ kind: 'not_found', code: 'runs.not_found', detail, status: 404 });

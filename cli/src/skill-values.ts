import type { Task } from '../../sdk/src/index.ts';
import { answered } from './call-tool.ts';
import type { Service } from './command.ts';
import type { Context } from './context.ts';
import { usage } from './failure.ts';
import { safe } from './output.ts';
import { refOf } from './ref.ts';
import { secretPairs } from './values.ts';

/** What a scripted skill is given: values with the run, and secrets and hosts that are stored for it. */

interface SkillAsked {
  ref: string;
  env: readonly string[];
  secret: readonly string[];
  host: readonly string[];
  install: boolean;
}

type Listing = { provider: Parameters<Service['capstan']['grants']['get']>[0]['provider']; id: string };

/** Null for anything but a skill of a listing, or one that was published on the service. */
export async function skillListing({ capstan }: Service, ref: string): Promise<Listing | null> {
  const named = refOf(ref);
  if (named.kind === 'capability') return publishedSkill(capstan, named.ref);
  // A skill of the service takes no values, and tools of connections have no listing.
  if (named.kind !== 'listing') return null;
  const listing = { provider: named.provider, id: named.id };
  const { execution_class } = await capstan.items.get(listing);
  return execution_class === 'mcp' ? null : listing;
}

async function publishedSkill(capstan: Service['capstan'], id: string): Promise<Listing | null> {
  const { listing_type } = await capstan.listings.get({ id });
  return listing_type === 'skill' ? { provider: 'capstan', id } : null;
}

/** `NAME=value`, or `NAME` for the value of the user's own environment. */
export async function environmentPairs(
  { world, isAsking, ask }: Pick<Context, 'world' | 'isAsking' | 'ask'>,
  all: readonly string[],
): Promise<Record<string, string>> {
  const pairs: Record<string, string> = {};
  for (const text of all) {
    const [, name = '', value = world.env[text]] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === '') throw usage(`Invalid variable: ${text}.`, 'For example: --env REGION=eu, or --env REGION.');
    if (value === undefined && !isAsking)
      throw usage(`${name} is not set in your environment.`, `Use --env ${name}=value.`);
    pairs[name] = value ?? (await ask(name, `--env ${name}=value`));
  }
  return pairs;
}

/** Stores secrets and hosts for the skill. The service asks for a signature before it stores either. */
export async function storeForSkill(service: Service, listing: Listing, asked: SkillAsked): Promise<void> {
  const { capstan } = service;
  const secrets = await secretPairs(service, asked.secret);
  if (Object.keys(secrets).length > 0) await capstan.grants.storeSecrets({ ...listing, body: { secrets } });
  if (asked.host.length === 0) return;
  const { hosts, digest } = await capstan.grants.get(listing);
  await capstan.grants.replaceHosts({ ...listing, body: { hosts: [...new Set([...hosts, ...asked.host])], digest } });
}

type Question = NonNullable<Task['question']>;

/** Asks the person at the terminal. Null if the task asks for nothing that can be answered here. */
export async function answerQuestion(service: Service, task: Task): Promise<unknown> {
  const { question, server_question, capability } = task;
  if (server_question !== null) return service.isAsking ? answered(service, server_question) : null;
  if (question === null || !service.isAsking) return null;
  const answers = await askPerson(service, question);
  if (answers === null) return { install: false };
  const { environment, secrets } = answers;
  if (Object.keys(secrets).length > 0) {
    const listing = await skillListing(service, capability.ref);
    if (listing === null) return null;
    await service.capstan.grants.storeSecrets({ ...listing, body: { secrets } });
  }
  return question.packages.length === 0 ? { environment } : { environment, install: true };
}

export interface Answers {
  environment: Record<string, string>;
  secrets: Record<string, string>;
}

/** Null if the person does not accept the packages. */
export async function askPerson(
  context: Pick<Context, 'say' | 'ask' | 'askSecret'>,
  question: Pick<Question, 'packages' | 'environment'>,
): Promise<Answers | null> {
  if (question.packages.length > 0 && !(await accepts(context, question))) return null;
  const environment: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const { name, secret } of question.environment)
    if (secret) secrets[name] = await context.askSecret(name, `--secret ${name}=@file`);
    else environment[name] = await context.ask(name, `--env ${name}=value`);
  return { environment, secrets };
}

async function accepts(
  context: Pick<Context, 'say' | 'ask'>,
  { packages }: Pick<Question, 'packages'>,
): Promise<boolean> {
  const list = packages.map(
    ({ ecosystem, name, wanted, from }) => `  ${ecosystem === 'npm' ? 'npm' : 'PyPI'} ${name} ${wanted} (${from})`,
  );
  context.say(safe(`The script needs packages:\n${list.join('\n')}`));
  return /^y(?:es)?$/i.test(await context.ask('Install them in its box? [y/N]', '--install'));
}

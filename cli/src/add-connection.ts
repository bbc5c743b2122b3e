import { errorOf } from '../../sdk/src/capstan-error.ts';
import {
  CapstanError,
  type Connection,
  type ConnectionEvent,
  type Input,
  type ItemDetail,
  stepText,
} from '../../sdk/src/index.ts';
import type { Service } from './command.ts';
import { EXIT, Failure, usage } from './failure.ts';
import { listingOf } from './install/listing-of.ts';
import { listedRefOf } from './ref.ts';
import { askForSecret, askForValue, collectValues, type GivenValues, type ValueField } from './values.ts';

/** A new connection at the service, with its values, its secrets, and the hosts that its package may reach. */

interface ConnectionAsked extends GivenValues {
  server: string;
  name: string | undefined;
  host: readonly string[];
  package: number | undefined;
}

export const EVENTS = 'text/event-stream';
/** The steps of a package that is fetched for the first time; the stream begins at once. */
const STEPS_MS = 600_000;

export async function addConnection(service: Service, asked: ConnectionAsked): Promise<Connection> {
  const { capstan } = service;
  const choice = await choiceOf(service, asked);
  const known = choice?.inputs.filter((field) => canStore(service) || !field.secret) ?? [];
  const { values, secrets } = await collectValues(service, asked, known);
  const hosts = await hostsOf(service, asked, choice);
  const body = { ...(await serverOf(service, asked)), name: asked.name, hosts };
  const made = await makeConnection(service, asked, { body, values, fields: known });
  try {
    const all = { ...secrets, ...(await openSecrets(service, made, secrets)) };
    if (Object.keys(all).length === 0) return made;
    const stored = { id: made.id, body: { type: 'variables' as const, variables: all } };
    await service.during(`${made.name}: starting the server`, () => capstan.credentials.store(stored));
    return await capstan.connections.get({ id: made.id });
  } catch (error) {
    // Without its secrets it would be left half made.
    await capstan.connections.delete({ id: made.id }).catch(() => {});
    throw error;
  }
}

/** Secrets are stored with a signature, so without a wallet nobody is asked for them. */
const canStore = ({ options, world }: Service): boolean =>
  Boolean(options.walletKey ?? world.env.CAPSTAN_WALLET_KEY_FILE);

type Choice = ItemDetail['servers'][number] & { wanted: readonly string[] };

/** What the server takes, as the form of the page has it. Null without a listing, or where nobody can be asked. */
async function choiceOf(service: Service, { server, package: index }: ConnectionAsked): Promise<Choice | null> {
  if (!service.isAsking || isUrl(server)) return null;
  const { servers, runnable } = await service.capstan.items.get(await listingOf(service.capstan, serverRef(server)));
  // The service, too, prefers an address.
  const choice = index === undefined ? servers[0] : servers.find((each) => each.package === index);
  return choice === undefined ? null : { ...choice, wanted: runnable.package?.wanted_hosts ?? [] };
}

/** Those that its listing names or that it asked for, unless the user names some. */
async function hostsOf(
  { ask, say }: Service,
  { host }: ConnectionAsked,
  choice: Choice | null,
): Promise<string[] | undefined> {
  if (host.length > 0) return [...host];
  const needed = choice === null || choice.package === null ? [] : [...new Set([...choice.hosts, ...choice.wanted])];
  if (needed.length === 0) return undefined;
  say(`The package needs ${needed.join(', ')}. A host that you allow can receive everything that the server knows.`);
  return /^(?:y|yes|)$/i.test(await ask('Allow it to reach these hosts? [Y/n]', '--host <name>')) ? needed : undefined;
}

const MOST_TRIES = 3;

interface Draft {
  body: Omit<Input<'connections.connections.create'>['body'], 'variables'>;
  values: Record<string, string>;
  fields: readonly ValueField[];
}

/** What only the files of a bundle declare, or what was refused, is asked for where a person can answer. */
async function makeConnection(service: Service, asked: ConnectionAsked, draft: Draft): Promise<Connection> {
  const { capstan, world, isAsking } = service;
  let { values } = draft;
  for (let tries = 1; ; tries++)
    try {
      const variables = Object.keys(values).length === 0 ? undefined : values;
      const body = { ...draft.body, variables };
      const { signal } = world;
      const events = capstan.connections.create({ body }, { accept: EVENTS, signal, timeout_ms: STEPS_MS });
      return await lastOf(service, asked.server, events);
    } catch (error) {
      const wrong = valuesRefused(error, draft.fields);
      if (wrong === null) throw error;
      if (!isAsking || tries === MOST_TRIES) throw withFlags(wrong);
      values = { ...values };
      for (const { field, detail } of wrong.values) {
        service.say(`${field.name}: ${detail}`);
        values[field.name] = await askForValue(service, field);
      }
    }
}

interface Refused {
  error: CapstanError;
  values: { field: ValueField; detail: string }[];
}

/** Null unless other values would help. */
function valuesRefused(error: unknown, known: readonly ValueField[]): Refused | null {
  if (!(error instanceof CapstanError) || error.code !== 'connections.invalid' || error.reason !== 'variables')
    return null;
  const { fields = known } = (error.body ?? {}) as { fields?: readonly ValueField[] };
  const values = error.errors.map(({ pointer, detail }) => {
    const name = pointer.slice('/variables/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    return { field: fields.find((field) => field.name === name), detail };
  });
  const found = values.flatMap(({ field, detail }) => (field === undefined || field.secret ? [] : [{ field, detail }]));
  return found.length === values.length && found.length > 0 ? { error, values: found } : null;
}

const withFlags = ({ error: { code, reason, detail }, values }: Refused): Failure =>
  new Failure(code, `${detail} ${values.map(({ field, detail: why }) => `${field.name}: ${why}`).join(' ')}`, {
    fix: `Use ${values.map(({ field: { name } }) => `--var ${name}=value`).join(' ')}`,
    exit_code: EXIT.usage,
    ...(reason === null ? {} : { reason }),
  });

/** The secrets of a bundle, which are known once it was prepared. */
async function openSecrets(
  service: Service,
  { id, auth }: Connection,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const open = auth.required.filter(
    ({ name, secret }) => secret && !Object.hasOwn(given, name) && !auth.stored.includes(name),
  );
  if (!service.isAsking || open.length === 0) return {};
  if (!canStore(service)) {
    const page = `${service.url}/dashboard/connections/${encodeURIComponent(id)}`;
    service.say(`It needs ${open.map(({ name }) => name).join(', ')}: store it on ${page}, or use --wallet-key.`);
    return {};
  }
  const secrets: Record<string, string> = {};
  for (const field of open) secrets[field.name] = await askForSecret(service, field);
  return secrets;
}

/** Shows the steps of a stream, and answers its result. */
export function lastOf(
  { during }: Pick<Service, 'during'>,
  label: string,
  events: AsyncIterable<ConnectionEvent>,
): Promise<Connection> {
  return during(label, async (tell) => {
    for await (const { event, data } of events) {
      if (event === 'step') tell({ label: `${label}: ${stepText(data)}` });
      if (event === 'error') throw await errorOf(Response.json(data, { status: data.status }));
      if (event === 'result') return data;
    }
    throw new Failure('cli.cut_off', 'The service ended the response before its result.', {
      fix: 'Run capstan connections list to see whether the connection was made, and try again.',
    });
  });
}

async function serverOf({ capstan }: Service, { server, package: index }: ConnectionAsked) {
  if (isUrl(server)) return { url: server };
  const ref = serverRef(server);
  if (ref.kind === 'capability' && index === undefined) return { ref: ref.ref };
  const { provider, id } = await listingOf(capstan, ref);
  return { listing: { provider, external_id: id, package: index } };
}

function serverRef(server: string) {
  const ref = listedRefOf(server);
  if (ref.kind !== 'skill') return ref;
  throw usage(
    `Invalid server: ${server}.`,
    'Use a URL, <provider>/<id>, an id from a list or search, or <publisher>/<name>.',
  );
}

const isUrl = (server: string): boolean => /^https?:\/\//.test(server);

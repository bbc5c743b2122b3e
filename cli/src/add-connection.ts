import { errorOf } from '../../sdk/src/capstan-error.ts';
import { type Connection, type ConnectionEvent, stepText } from '../../sdk/src/index.ts';
import type { Service } from './command.ts';
import { Failure, usage } from './failure.ts';
import { listingOf } from './install/listing-of.ts';
import { listedRefOf } from './ref.ts';
import { collectValues, type GivenValues } from './values.ts';

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
  const { capstan, world } = service;
  const { values, secrets } = await valuesOf(service, asked);
  const variables = Object.keys(values).length === 0 ? undefined : values;
  const hosts = asked.host.length === 0 ? undefined : [...asked.host];
  const body = { ...(await serverOf(service, asked)), name: asked.name, variables, hosts };
  const { signal } = world;
  const events = capstan.connections.create({ body }, { accept: EVENTS, signal, timeout_ms: STEPS_MS });
  const made = await lastOf(service, asked.server, events);
  if (Object.keys(secrets).length === 0) return made;
  try {
    const stored = { id: made.id, body: { type: 'variables' as const, variables: secrets } };
    await service.during(`${made.name}: starting the server`, () => capstan.credentials.store(stored));
    return await capstan.connections.get({ id: made.id });
  } catch (error) {
    // Without its secrets it would be left half made.
    await capstan.connections.delete({ id: made.id }).catch(() => {});
    throw error;
  }
}

/** What a package requires is asked for where a person can answer; elsewhere the connection says what it lacks. */
async function valuesOf(service: Service, asked: ConnectionAsked): ReturnType<typeof collectValues> {
  const { server, package: index } = asked;
  if (!service.isAsking || isUrl(server)) return collectValues(service, asked, []);
  const { install } = await service.capstan.items.get(await listingOf(service.capstan, serverRef(server)));
  const { packageFields } = await import('./local/listing-fields.ts');
  return collectValues(service, asked, packageFields(install, index));
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

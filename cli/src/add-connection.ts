import { errorOf } from '../../sdk/src/capstan-error.ts';
import { type Connection, type ConnectionEvent, stepText } from '../../sdk/src/index.ts';
import type { Service } from './command.ts';
import { Failure, usage } from './failure.ts';
import { refOf } from './ref.ts';
import { type GivenValues, plainPairs, secretPairs } from './values.ts';

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
  const given = await secretPairs(service, asked.secret);
  const variables = asked.var.length === 0 ? undefined : plainPairs(asked.var);
  const hosts = asked.host.length === 0 ? undefined : [...asked.host];
  const body = { ...serverOf(asked), name: asked.name, variables, hosts };
  const { signal } = world;
  const events = capstan.connections.create({ body }, { accept: EVENTS, signal, timeout_ms: STEPS_MS });
  const made = await lastOf(service, asked.server, events);
  const missing = made.auth.required.filter(({ name, secret }) => secret && !Object.hasOwn(given, name));
  const secrets = { ...given };
  // Signing in with OAuth needs none of them.
  if (service.isAsking && made.package !== null)
    for (const { name, description } of missing)
      secrets[name] = await service.askSecret(
        description === '' ? name : `${name} (${description})`,
        `--secret ${name}=@file`,
      );
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

function serverOf({ server, package: index }: ConnectionAsked) {
  if (/^https?:\/\//.test(server)) return { url: server };
  const ref = refOf(server);
  if (ref.kind !== 'listing') throw usage(`Invalid server: ${server}.`, 'Use a URL or <provider>/<id>.');
  return { listing: { provider: ref.provider, external_id: ref.id, package: index } };
}

import { createHash } from 'node:crypto';
import { launchTarget } from '#catalog/install/launch-target.ts';
import type { Launch } from '#catalog/install/launches.ts';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import type { Carried, Vault } from '#connections/connections/seams.ts';
import { connectionsProblem } from '#connections/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { plain } from '#core/tools/words.ts';
import { assemble, secretOf } from './carried.ts';
import { secretsOf } from './secret-parts.ts';
import { readSecrets, type Secrets } from './secrets.ts';

/** Returns the stored credentials of a connection, ready to send or to start a package with. */
export const openVault = ({ db, keys }: Pick<ConnectionsBase, 'db' | 'keys'>): Vault => ({
  open: async (connection) => {
    const secrets = await readSecrets(db, keys, { user_id: connection.user_id, connection_id: connection.id });
    return connection.package === null
      ? carriedTo(connection, secrets)
      : carriedInto(connection, connection.package, secrets);
  },
});

function carriedTo({ url: template, auth }: Connection, secrets: Secrets): Carried {
  const { url, headers, missing } = assemble({ url: template, auth }, secrets.values);
  if (missing.length > 0) throw somethingMissing(missing);
  if (!URL.canParse(url)) throw noAddress();
  const { type, fields, values } = auth;
  const version = versionOf([template, type, fields, values, secrets.version]);
  return { url, headers, package: null, version, secrets: secretsOf(secrets.values, headers) };
}

/** For the package of a connection. */
function carriedInto({ url, auth, package_hosts }: Connection, launch: Launch, secrets: Secrets): Carried {
  const { fields, values } = auth;
  const stored = fields.flatMap(({ name, in: place }) => {
    const value = secrets.values[secretOf[place](name)];
    return value === undefined ? [] : [[name, value] as const];
  });
  const hosts = package_hosts ?? [];
  const { target, missing, exposed } = launchTarget(launch, { ...values, ...Object.fromEntries(stored) }, hosts);
  if (missing.length > 0) throw somethingMissing(missing);
  if (exposed.length > 0) throw wouldBeExposed(exposed);
  const version = versionOf([url, launch, fields, values, hosts, secrets.version]);
  const known = [...new Set([...secretsOf(secrets.values, {}), ...target.secrets])];
  return { url, headers: {}, package: { ...target, secrets: known }, version, secrets: known };
}

const versionOf = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

const wouldBeExposed = (names: string[]): Problem =>
  connectionsProblem(
    'connections.invalid',
    `The package takes the secret ${names.map((name) => plain(name, 100)).join(', ')} as an argument, which other programs could read. Choose a server that takes it as an environment variable.`,
    { reason: 'package_secret' },
  );

const somethingMissing = (names: string[]): Problem =>
  connectionsProblem(
    'connections.authorization_required',
    `The server requires ${names.map((name) => plain(name, 100)).join(', ')}. Store it with PUT /api/sessions/connections/{id}/credentials.`,
    { reason: 'auth_required' },
  );

const noAddress = (): Problem =>
  connectionsProblem(
    'connections.authorization_required',
    'The stored variables do not give a valid server URL. Store them with PUT /api/sessions/connections/{id}/credentials.',
    { reason: 'auth_required' },
  );

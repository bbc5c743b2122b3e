import { createHash } from 'node:crypto';
import type { SessionsBase } from '#connections/connections/base.ts';
import type { Vault } from '#connections/connections/seams.ts';
import { Problem } from '#core/problem/problem.ts';
import { plain } from '#core/tools/words.ts';
import { assemble } from './carried.ts';
import { secretsOf } from './secret-parts.ts';
import { readSecrets } from './secrets.ts';

/** Returns the stored credentials of a connection, ready to send. */
export const openVault = ({ db, keys }: Pick<SessionsBase, 'db' | 'keys'>): Vault => ({
  open: async ({ id, user_id, url: template, auth }) => {
    const secrets = await readSecrets(db, keys, { user_id, connection_id: id });
    const { url, headers, missing } = assemble({ url: template, auth }, secrets.values);
    if (missing.length > 0) throw somethingMissing(missing);
    if (!URL.canParse(url)) throw noAddress();
    const { type, fields, values } = auth;
    const known = JSON.stringify([template, type, fields, values, secrets.version]);
    const version = createHash('sha256').update(known).digest('base64url').slice(0, 22);
    return { url, headers, version, secrets: secretsOf(secrets.values, headers) };
  },
});

const somethingMissing = (names: string[]): Problem =>
  new Problem(
    'conflict',
    'sessions.auth_required',
    `The server requires ${names.map((name) => plain(name, 100)).join(', ')}. Store it with PUT /api/sessions/connections/{id}/credentials.`,
  );

const noAddress = (): Problem =>
  new Problem(
    'conflict',
    'sessions.auth_required',
    'The stored variables do not give a valid server URL. Store them with PUT /api/sessions/connections/{id}/credentials.',
  );

import { type Connection, shownConnection } from '#connections/connections/connection.ts';
import { type Owned, updateConnection } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { jsonOrEvents } from '#connections/connections/event-reply.ts';
import { noSuchConnection } from '#connections/connections/failures.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { type CredentialInput, readCredentialInput, type Storable } from '#connections/vault/credential-input.ts';
import { replaceSecrets } from '#connections/vault/secrets.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Handler, Origin } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { credentialsContract } from './contract.ts';

type Deps = Pick<ConnectionsDeps, 'db' | 'keys' | 'clock' | 'oauth' | 'probe' | 'upstreams' | 'log'>;

/** PUT /api/sessions/connections/{id}/credentials */
export const storeCredentials =
  (deps: Deps): Handler<typeof credentialsContract.store> =>
  async (input) => {
    const { params, body, caller, origin } = input;
    const owned = { user_id: caller.user_id, id: params.id };
    const connection = await usableConnection(deps.db, owned);
    if (connection.package !== null && body.type !== 'variables') throw onlyVariables();
    const storable = readCredentialInput(body as CredentialInput, connection.auth.fields);
    const stored = await store(deps, owned, storable, origin);
    // What was started with the credentials of before ends.
    deps.upstreams.forget(stored.id);
    const reply = await jsonOrEvents(input, deps, async (tell, signal) =>
      shownConnection(await deps.probe(stored, { signal, on_step: (step) => tell('step', step) })),
    );
    return { ...reply, cache_control: 'no-store' };
  };

const onlyVariables = (): Problem =>
  connectionsProblem(
    'connections.invalid',
    'The server is started from a package. Use type variables, with the names of its environment variables and arguments.',
    { reason: 'credentials' },
  );

const store = (
  { db, keys, clock, oauth }: Deps,
  { user_id, id }: Owned,
  { type, names, secrets }: Storable,
  origin: Origin,
) =>
  db.transaction().execute(async (trx): Promise<Connection> => {
    const now = isoTime(clock.now());
    await oauth.giveBack(trx, { user_id, ids: [id] });
    // Locks the row before storing, so that of two concurrent writers the later one wins completely.
    const locked = await updateConnection(trx, id, { status: 'pending', last_error: null });
    if (locked === undefined) throw noSuchConnection();
    await replaceSecrets(trx, keys, { user_id, connection_id: id }, secrets, now);
    const auth = { ...locked.auth, type, stored: names, updated_at: now };
    const stored = (await updateConnection(trx, id, { auth })) as Connection;
    const entry = { actor: user_id, origin, action: 'sessions.store_credentials', target: id } as const;
    await recordAudit(trx, { ...entry, detail: { type, fields: names.length } }, now);
    return stored;
  });

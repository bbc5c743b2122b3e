import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Client } from './client.ts';
import { isDocumentId, type ReadDocument } from './client-documents.ts';
import { findClient } from './clients.ts';

export type FindClient = (clientId: string) => Promise<Client>;

/**
 * Finds a client by its document or its registration. Throws a 400 `auth.oauth_invalid` (`client_unknown`) or
 * `auth.oauth_invalid` (`client_document`).
 */
export const createFindClient =
  ({ db, clock, readDocument }: { db: Kysely<Schema>; clock: Clock; readDocument: ReadDocument }): FindClient =>
  async (client_id) => {
    if (isDocumentId(client_id)) return readDocument(client_id);
    const client = UUID.test(client_id) ? await findClient(db, client_id, isoTime(clock.now())) : undefined;
    if (client === undefined) throw unknown();
    return client;
  };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknown = (): Problem =>
  accountsProblem(
    'auth.oauth_invalid',
    'Unknown client_id. Unused clients are removed: delete the sign-in from the client, then connect again.',
    { reason: 'client_unknown', extensions: { oauth_error: 'invalid_client' } },
  );

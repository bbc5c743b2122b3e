import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/db/schema.ts';

/** Every link mailed for an account, or to its address before it was one. The only SQL on them beside email-tokens.ts. */
export async function forgetTokens(db: Kysely<Schema>, user_id: string, email: string | null): Promise<void> {
  await db
    .deleteFrom('email_tokens')
    .where((eb) => eb.or([eb('user_id', '=', user_id), ...(email === null ? [] : [eb('email', '=', email)])]))
    .execute();
}

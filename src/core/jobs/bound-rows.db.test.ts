import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { boundRowsKinds, MOST_ROWS } from './bound-rows.ts';

const NOW = Date.parse('2027-06-01T00:00:00.000Z');
const clock = { now: () => NOW };

type Table = keyof typeof MOST_ROWS;

/** A row that belongs to no account, or as little as its foreign keys require. */
const ROWS: Record<Table, (n: number) => Record<string, string | number>> = {
  challenges: (n) => ({ id: `c${n}`, wallet_type: 'ethereum', address: 'a', message: 'm', created_at: '' }),
  email_tokens: (n) => ({ token_hash: `t${n}`, purpose: 'register', email: `e${n}`, created_at: '' }),
  google_flows: (n) => ({ state_hash: `s${n}`, cookie_hash: 'c', nonce: 'n', code_verifier: 'v', created_at: '' }),
  authorization_codes: (n) => ({
    code_hash: `c${n}`,
    user_id: 'u',
    page_sign_in_id: 's',
    client_id: 'c',
    client_name: 'n',
    redirect_uri: 'r',
    code_challenge: 'c',
    resource: 'r',
    scope: 's',
    created_at: '',
  }),
  connection_flows: (n) => ({
    state_hash: `s${n}`,
    connection_id: 'x',
    user_id: 'u',
    browser_hash: 'b',
    sealed: 's',
    flow: 'f',
    created_at: '',
  }),
  mcp_session_mail: (n) => ({ id: `m${n}`, session_id: 's', address: 'a', sealed_message: 'm' }),
  rate_windows: (n) => ({ bucket: `b${n}`, window_start: '', used: 1 }),
};

async function put({ db }: TestDatabase, table: string, row: Record<string, string | number>): Promise<void> {
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    VALUES (${sql.join(Object.values(row))})`.execute(db);
}

eachDatabase('limits of rows without an account', (open) => {
  for (const table of Object.keys(MOST_ROWS) as Table[])
    test(`${table}: above its limit, deletes the rows that would expire first`, async () => {
      const database = await open();
      const at = { created_at: '', updated_at: '' };
      await put(database, 'users', { id: 'u', display_name: 'x', tier: 'free', is_operator: 0, ...at });
      await put(database, 'connections', {
        id: 'x',
        user_id: 'u',
        name: 'n',
        url: 'u',
        transport: 't',
        status: 's',
        auth: '{}',
        created_at: '',
      });
      await put(database, 'mcp_sessions', { id: 's', owner: 'o', hello: '{}', expires_at: isoTime(NOW + 1e6) });
      for (let n = 0; n < 20; n++)
        await put(database, table, { ...ROWS[table](n), expires_at: isoTime(NOW + ((n * 7) % 20) * 1_000) });
      const most = Object.fromEntries(Object.keys(MOST_ROWS).map((name) => [name, 8])) as Record<Table, number>;
      const kinds = boundRowsKinds({ database, clock, most, batch: 5 });
      const outcome = await kinds['expire.overflow']?.handler({
        job: {} as never,
        signal: new AbortController().signal,
        fence: async () => {},
      });
      assert.equal(outcome?.again_at_ms, NOW + 60_000);
      const left = await database.db.selectFrom(table).select('expires_at').orderBy('expires_at').execute();
      assert.deepEqual(
        left.map(({ expires_at }) => expires_at),
        Array.from({ length: 8 }, (_, n) => isoTime(NOW + (12 + n) * 1_000)),
      );
    });
});

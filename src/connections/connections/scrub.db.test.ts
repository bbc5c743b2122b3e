import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretOf } from '#connections/vault/carried.ts';
import { secretsOf } from '#connections/vault/secret-parts.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { secretValues } from '#core/text/secret-values.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { scrubbed } from './scrub.ts';

const failure = (detail: string, challenge: string | null = null): McpFailure => ({
  reason: 'refused',
  detail,
  challenge,
  code: 1,
  status: 401,
  guard: null,
  is_stale: false,
});

test('redacts tokens, passwords and cookies that a server repeats, whole or in part', () => {
  const basic = Buffer.from('ann:open sesame').toString('base64');
  const cookie = 'session=s3cr3t-1234567890; theme=dark';
  for (const [header, said] of [
    ['Bearer s3cr3t-token', 'the token s3cr3t-token is old'],
    ['Bearer s3cr3t-token', 'Authorization: Bearer s3cr3t-token'],
    [`Basic ${basic}`, `got ${basic}`],
    [`Basic ${basic}`, 'wrong password open sesame'],
    [cookie, 'no session s3cr3t-1234567890'],
  ] as const) {
    const stored = header === cookie ? { [secretOf.header('cookie')]: cookie } : {};
    const secrets = secretValues(secretsOf(stored, header === cookie ? {} : { authorization: header }));
    const { detail, challenge } = scrubbed(failure(said, said), secrets);
    for (const text of [detail, challenge ?? '']) {
      assert.match(text, /\[redacted\]/, said);
      assert.doesNotMatch(text, /s3cr3t|sesame/, said);
    }
  }
});

test('does not redact user names or challenges', () => {
  const asked =
    'Bearer error="insufficient_scope", scope="calls", resource_metadata="https://mcp.example/.well-known/x"';
  const secrets = secretsOf({ [secretOf.username]: 'administrator' }, { authorization: 'Bearer s3cr3t-token' });
  const { challenge, detail } = scrubbed(failure('of the administrator', asked), secretValues(secrets));
  assert.deepEqual([challenge, detail], [asked, 'of the administrator']);
});

test('redacts the stored variables in a URL, but not its fixed parts', () => {
  const stored = { [secretOf.variable('tenant')]: 'acme-secret', [secretOf.variable('key')]: 'k ey-12345' };
  const filled = 'https://acme-secret.mcp.example/k%20ey-12345/sse?v=2';
  const said = `${filled} does not answer; acme-secret.mcp.example; "k ey-12345"; sse`;
  const { detail } = scrubbed(failure(said), secretValues(secretsOf(stored, {})));
  assert.doesNotMatch(detail, /acme-secret|12345/);
  assert.match(detail, /sse$/);
  const plain = 'https://mcp.example/ does not answer';
  assert.equal(scrubbed(failure(plain), secretValues(secretsOf(stored, {}))).detail, plain);
});

const SECRET = 'hunter2-"swordfish"';

oneDatabase('a stored secret that a server repeats', (open) => {
  test('is redacted from results, errors, progress, tools, the server name and spans', async (t) => {
    const database = await open();
    await using stand = await connectionsStand(database);
    const repeated = () => String(fake.headers.at(-1)?.['x-api-key']);
    const fake = await startMcpFake([
      {
        name: 'repeat',
        call: async (_args, _meta, { progress }) => {
          await progress(1, 2, `with ${repeated()}`);
          const encoded = Buffer.from(`key: ${repeated()}!`).toString('base64');
          return {
            ...textResult(`you sent ${repeated()} and ${encoded}`),
            structuredContent: { [repeated()]: encoded },
          };
        },
      },
      {
        name: 'fail',
        call: () => {
          throw new Error(`bad key ${encodeURIComponent(repeated())}`);
        },
      },
    ]);
    t.after(() => fake.close());
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const stored = await stand.ask(as, 'PUT', `${path}/credentials`, {
      type: 'header',
      headers: { 'x-api-key': SECRET },
    });
    assert.equal(stored.status, 200, stored.text);
    for (const tool of fake.tools) tool.description = `Wants ${SECRET}.`;
    const call = (tool: string, headers = {}) => stand.ask(as, 'POST', `${path}/tools/call`, { tool }, { headers });
    const answers = [
      await stand.ask(as, 'POST', `${path}/tools/list?refresh=true`),
      await call('repeat'),
      await call('repeat', { accept: 'text/event-stream' }),
      await call('fail'),
      await call('fail', { accept: 'text/event-stream' }),
    ];
    fake.fault = (_, response) =>
      Boolean([response.writeHead(401, { 'www-authenticate': `Basic realm="${SECRET.slice(0, 7)}"` }).end(SECRET)]);
    answers.push(await call('repeat'), await stand.ask(as, 'GET', path));
    await stand.tracing.flush();
    const { db } = database;
    const rows = [
      await db.selectFrom('spans').selectAll().execute(),
      await db.selectFrom('connections').selectAll().execute(),
      await db.selectFrom('connection_tools').selectAll().execute(),
    ];
    const seen = [...answers.map(({ text }) => text), ...rows.map((row) => JSON.stringify(row))].join('\n');
    assert.equal(answers[1]?.body.content[0].text, 'you sent [redacted] and a2V5OiB[redacted]IQ==');
    for (const form of ['swordfish', encodeURIComponent(SECRET), Buffer.from(SECRET.slice(1, -2)).toString('base64')])
      assert.ok(!seen.includes(form), `${form} in ${seen}`);
    assert.match(answers[0]?.text ?? '', /Wants \[redacted\]\./);
    assert.match(answers[2]?.text ?? '', /"message":"with \[redacted\]"/);
    assert.match(answers[3]?.text ?? '', /bad key \[redacted\]/);
  });
});

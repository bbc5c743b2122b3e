import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { deriveKey, keyProvider } from '#core/crypto/secret-keys.ts';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';

const CALLS = 80;
const AT_ONCE = 8;
/** The service is killed when this many calls were answered, in the middle of others. */
const KILLED_AFTER = 40;
const numbered = { type: 'object' as const, properties: { n: { type: 'integer' as const } } };
const TOOLS = ['echo', 'fails', 'none'];

interface Answered {
  receipt_id: string;
  status: string;
}

eachDatabase('a service that is killed during tool calls', (open) => {
  test('each call that was answered or reached its server has one receipt afterwards', async (context) => {
    const database = await open('own');
    const secret = randomBytes(32).toString('hex');
    await using stand = await connectionsStand(database, { secret });
    const reached = new Set<number>();
    const call = (answer: () => ReturnType<typeof textResult>) => (args: Record<string, unknown>) => {
      reached.add(args.n as number);
      return answer();
    };
    const fake = await startMcpFake([
      { name: 'echo', inputSchema: numbered, call: call(() => textResult('hi')) },
      { name: 'fails', inputSchema: numbered, call: call(() => ({ ...textResult('no'), isError: true })) },
    ]);
    context.after(fake.close);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    const order = JSON.stringify({ database: database.config, secret });
    const file = new URL('../../../test/kill-calls-child.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [file, order], { stdio: ['ignore', 'pipe', 'inherit'] });
    const gone = once(child, 'exit');
    const [url] = await once(createInterface(child.stdout), 'line');

    const answered = new Map<number, Answered>();
    const ask = async (n: number): Promise<void> => {
      const tool = TOOLS[n % TOOLS.length] as string;
      const answer = await fetch(`${url}${path}/tools/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as.id}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool, arguments: { n } }),
      });
      const { receipt_id } = (await answer.json()) as Answered;
      answered.set(n, { receipt_id, status: { echo: 'completed', fails: 'failed' }[tool] ?? 'refused' });
      if (answered.size === KILLED_AFTER) child.kill('SIGKILL');
    };
    let next = 0;
    const asking = async (): Promise<void> => {
      // A connection that breaks is the kill.
      while (next < CALLS && answered.size < KILLED_AFTER) await ask(next++).catch(() => {});
    };
    // Another process signs meanwhile.
    await Promise.all([...Array.from({ length: AT_ONCE }, asking), stand.receipts.signOwed()]);
    await gone;

    stand.clock.ms += 60_000;
    while ((await stand.receipts.signOwed()) > 0);
    const rows = await database.db.selectFrom('receipts').select('id').execute();
    const macKey = deriveKey(keyProvider([createSecretKey(secret, 'hex')]), 'call receipt');
    const receipted = new Map<number, { id: string; status: string }>();
    for (const { id } of rows) {
      const verified = verifyBundle(await stand.receipts.bundle(id));
      assert.ok(verified.consistent);
      const { input, status } = verified.statement.predicate;
      const key = createHmac('sha256', macKey).update(id).digest();
      const isOf = (n: number) =>
        createHmac('sha256', key).update(JSON.stringify({ n })).digest('hex') === input.hmac_sha256;
      const n = Array.from({ length: next }, (_, at) => at).find(isOf);
      assert.ok(n !== undefined, 'a receipt of a call that was made');
      assert.ok(!receipted.has(n), `two receipts of call ${n}`);
      receipted.set(n, { id, status });
    }
    assert.ok(answered.size >= KILLED_AFTER);
    for (const [n, { receipt_id, status }] of answered) {
      const receipt = receipted.get(n);
      assert.equal(receipt?.id, receipt_id, `call ${n}`);
      assert.ok([status, 'interrupted'].includes(receipt.status), `call ${n}: ${receipt.status}`);
    }
    for (const n of reached) assert.ok(receipted.has(n), `call ${n} reached the server`);
  });
});

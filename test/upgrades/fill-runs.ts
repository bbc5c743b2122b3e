import type { Filling } from './filling.ts';
import { ADA } from './people.ts';

/** Tasks that ended well and badly, one that was never started, their traces and receipts; a chat. */
export async function fillRuns({ program, client, until }: Filling): Promise<void> {
  const ada = client(ADA);
  await ada.signInWithWallet();
  const run = async (ref: string, input: unknown, kind: 'skill' | 'connection' = 'skill') => {
    const { id } = await ada.tasks.create({ body: { capability: { kind, ref }, input } });
    await ada.tasks.start({ id });
    for await (const _ of ada.tasks.watch({ id }));
    return id;
  };
  await run('json-diff', { before: { port: 80 }, after: { port: 8080 } });
  await run('jq-query', { json: { a: 1 }, query: 'this is no query (' }).catch(() => {});
  await run('listing-review', { provider: 'glama', external_id: 'x' });
  const connection = (await ada.connections.list()).items.find((connection) => connection.name === 'tides');
  await run(`${connection?.id}/tide_at`, {}, 'connection');
  await ada.tasks.create({
    body: { capability: { kind: 'skill', ref: 'json-diff' }, input: { before: 1, after: 2 } },
  });
  await until('log_checkpoints');
  if (!program.offers('surfaces.agent.chat')) return;
  const { conversation_id } = await ada.agent.chat({
    body: { message: 'run json-diff with before={"a":1} after={"a":2}', model: 'builtin/planner' },
  });
  await ada.agent.chat({ body: { message: 'Hello.', conversation_id, model: 'compatible/fake-1' } });
  await ada.agent.setModel({ body: { model: 'builtin/planner' } });
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Find a skill that compares JSON' }] };
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } } as const;
  await ada.a2a.call({ body }, { headers: { 'a2a-version': '1.0' } });
  await until('agent_a2a_turns');
}

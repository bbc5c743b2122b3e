import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentsOf } from '#app/protocols.ts';
import type { Handler, OperationBase } from '#core/http/operation.ts';
import { listAgents } from './list-agents.ts';

const at = (path: string) => ({ path }) as OperationBase;
async function ask(operations: OperationBase[], public_url: string | null) {
  const agents = () => agentsOf({ operations, public_url }, [{ name: 'json-diff' }]);
  const reply = await (listAgents(agents) as Handler)({} as never);
  return JSON.parse(reply.body as string).items;
}

test('200: an agent is available if its endpoint is offered, and has a card only if there is one', async () => {
  const [none] = await ask([], null);
  assert.deepEqual(
    [none.id, none.status, none.card_url, none.skills],
    ['core-agent', 'unavailable', null, ['json-diff']],
  );
  const offered = [at('/api/agents/core-agent/chat'), at('/.well-known/agent-card.json')];
  const [there] = await ask(offered, 'https://capstan.example');
  assert.deepEqual(
    [there.status, there.endpoint, there.card_url],
    [
      'available',
      'https://capstan.example/api/agents/core-agent/chat',
      'https://capstan.example/.well-known/agent-card.json',
    ],
  );
});

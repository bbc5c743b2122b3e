import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsStand } from '#test/connections-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { seriesOf } from '#test/series.ts';

eachDatabase('metrics of connections', (open) => {
  test('metrics count connections by status and tool calls by outcome', async () => {
    await using stand = await connectionsStand(await open());
    const fake = await startMcpFake([
      { name: 'works', call: () => textResult('yes') },
      { name: 'fails', call: () => ({ ...textResult('no'), isError: true }) },
    ]);
    const as = await stand.newUser();
    const path = await stand.connect(as, fake.url);
    for (const tool of ['works', 'fails', 'works']) await stand.ask(as, 'POST', `${path}/tools/call`, { tool });
    await fake.close();
    await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'works' });
    const series = await seriesOf(stand.registry, 'capstan_connection');
    for (const expected of [
      'capstan_connections{status="ready"} 1',
      'capstan_connection_call_seconds_count{outcome="ok"} 2',
      'capstan_connection_call_seconds_count{outcome="tool_error"} 1',
      'capstan_connection_call_seconds_count{outcome="unreachable"} 1',
      'capstan_connection_refreshes_total{outcome="renewed"} 0',
    ])
      assert.ok(series.includes(expected), `${expected}: ${series.join('; ')}`);
  });
});

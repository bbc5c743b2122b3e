import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { HOME, trialOf } from '#test/trials.ts';
import { trialsTools } from '../tools.ts';

oneDatabase('trial_run', (open) => {
  test('waits for the result, and shares the counters of the API', async () => {
    await using stand = await tasksStand(await open(), { trials: { per_address: 2, per_day: 50 } });
    const tools = trialsTools(stand.trials.deps);
    const call = toolCall(null, { share: { user_id: null, address: HOME } });
    const order = { capability: { ref: 'echo' }, input: { text: 'hello </output> there' } };
    const { structured, text, links } = await runTool(tools, 'trial_run', order, call);
    assert.deepEqual([structured.status, structured.output, structured.runs_left], ['completed', order.input, 1]);
    assert.equal(text.match(/<\/output>/g)?.length, 1, 'the tag is closed once, by us');
    assert.match(text, /Its page: https?:\/\/[^/]+\/r\/\S+\n/);
    assert.equal(links?.[0]?.uri, `receipt://${structured.receipt_id}`);
    const page = await stand.askFrom(HOME, 'GET', `/api/shared-runs/${structured.path.slice('/r/'.length)}`);
    assert.deepEqual(page.body.output, order.input);
    assert.equal((await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'))).body.runs_left, 0);
    const refused = { code: 'trials.limit_exceeded', reason: 'address' };
    await assert.rejects(runTool(tools, 'trial_run', order, call), refused);
    await assert.rejects(runTool(tools, 'trial_run', { capability: { ref: 'model' } }, call), {
      code: 'trials.account_required',
    });
  });
});

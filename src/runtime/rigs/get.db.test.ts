import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML } from '#test/rigs-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { rigsTools } from './tools.ts';

oneDatabase('getting a rig', (open) => {
  test('200: by id, name and version; 404: another user’s rig or an unknown version', async () => {
    await using stand = await rigsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const { id } = (await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML })).body;
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML.replace('1.0.0', '2.0.0') });
    const newest = await stand.ask(as, 'GET', `/api/rigs/${id}`);
    assert.deepEqual([newest.body.version, newest.body.versions.length], ['2.0.0', 2]);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum?version=1.0.0')).body.yaml, STAND_YAML);
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum?version=3.0.0')).body.code, 'rigs.not_found');
    for (const path of [`/api/rigs/${id}`, '/api/rigs/sum'])
      assert.deepEqual(
        [(await stand.ask(other, 'GET', path)).body.code, (await stand.ask(other, 'GET', path)).body.reason],
        ['rigs.not_found', 'rig'],
      );
  });

  test('the rig tools create, list, get and verify a rig, and explain why it was not locked', async () => {
    await using stand = await rigsStand(await open());
    const as = toolCall((await stand.newUser()).id);
    const tools = rigsTools(stand.deps);
    stand.now.faults = [{ code: 'model_missing', part: 'model', detail: 'None.' }];
    const first = await runTool(tools, 'rig_create', { yaml: STAND_YAML }, as);
    assert.deepEqual(
      [first.structured.lock_digest, first.structured.not_locked.code, first.structured.not_locked.reason],
      [null, 'rigs.part_unavailable', 'model_missing'],
    );
    stand.now.faults = [];
    const made = await runTool(tools, 'rig_create', { yaml: STAND_YAML }, as);
    assert.match(made.structured.lock_digest, /^sha256:/);
    const listed = await runTool(tools, 'rig_list', {}, as);
    assert.deepEqual([listed.structured.items[0].name, listed.structured.items[0].locked], ['sum', true]);
    const shown = await runTool(tools, 'rig_get', { rig: 'sum', lock: true }, as);
    assert.equal(JSON.parse(shown.structured.lock).model.id, 'builtin/planner');
    stand.now.parts.skills = [];
    const verified = await runTool(tools, 'rig_verify', { rig: 'sum' }, as);
    assert.deepEqual([verified.structured.verified, verified.structured.findings.length], [false, 1]);
    await assert.rejects(runTool(tools, 'rig_get', { rig: 'sum' }, toolCall((await stand.newUser()).id)), {
      code: 'rigs.not_found',
    });
  });
});

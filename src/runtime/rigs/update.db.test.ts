import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase, oneDatabase } from '#test/databases.ts';
import { rigsStand, STAND_YAML } from '#test/rigs-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { rigsTools } from './tools.ts';

const CORRECTED = STAND_YAML.replace('Adds.', 'Sums two numbers.');

eachDatabase('updating a rig', (open) => {
  test('200: replaces a version that was never locked; 409: a locked version', async () => {
    await using stand = await rigsStand(await open());
    const as = await stand.newUser();
    const { id } = (await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML })).body;
    const put = (yaml: string, at = id) => stand.ask(as, 'PUT', `/api/rigs/${at}`, { yaml });
    const corrected = await put(CORRECTED);
    assert.deepEqual(
      [corrected.status, corrected.body.description, corrected.body.versions.length],
      [200, 'Sums two numbers.', 1],
    );
    assert.equal((await stand.ask(as, 'POST', `/api/rigs/${id}/resolve`, {})).status, 200);
    assert.equal((await put(CORRECTED)).body.lock_digest !== null, true, 'the same text keeps its lock');
    const refused = await put(STAND_YAML);
    assert.deepEqual([refused.status, refused.body.code, refused.body.reason], [409, 'rigs.conflict', 'version_taken']);
    assert.match(refused.body.detail, /was locked.*Raise metadata\.version/);
    assert.equal((await stand.ask(as, 'GET', `/api/rigs/${id}`)).body.yaml, CORRECTED);
    const next = await put(STAND_YAML.replace('1.0.0', '1.1.0'), 'sum');
    assert.deepEqual([next.body.id, next.body.version, next.body.lock], [id, '1.1.0', null]);
    assert.equal(next.body.versions.length, 2);
  });

  test('404: another user’s rig; 409: another name; 422: invalid text; changes nothing', async () => {
    await using stand = await rigsStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    await stand.ask(as, 'POST', '/api/rigs', { yaml: STAND_YAML });
    const codeOf = async (who: typeof as, yaml: string) =>
      (await stand.ask(who, 'PUT', '/api/rigs/sum', { yaml })).body.code;
    assert.equal(await codeOf(other, CORRECTED), 'rigs.not_found');
    assert.equal(await codeOf(as, CORRECTED.replace('name: sum', 'name: total')), 'rigs.conflict');
    assert.equal(await codeOf(as, 'kind: Rig'), 'rigs.invalid');
    assert.equal((await stand.ask(as, 'GET', '/api/rigs/sum')).body.yaml, STAND_YAML);
  });
});

oneDatabase('the tools that update and delete rigs', (open) => {
  test('the tools lock a corrected rig, and delete a version or the whole rig', async () => {
    await using stand = await rigsStand(await open());
    const as = toolCall((await stand.newUser()).id);
    const tools = rigsTools(stand.deps);
    stand.now.faults = [{ code: 'skill_gone', part: 'skill skill/add', detail: 'There is no skill add.' }];
    await runTool(tools, 'rig_create', { yaml: STAND_YAML }, as);
    stand.now.faults = [];
    const updated = await runTool(tools, 'rig_update', { rig: 'sum', yaml: CORRECTED }, as);
    assert.match(updated.structured.lock_digest, /^sha256:/);
    assert.equal(updated.structured.next.tool, 'rig_run');
    await runTool(tools, 'rig_update', { rig: 'sum', yaml: CORRECTED.replace('1.0.0', '2.0.0') }, as);
    const one = await runTool(tools, 'rig_delete', { rig: 'sum', version: '2.0.0' }, as);
    assert.deepEqual(one.structured.versions, ['1.0.0']);
    assert.deepEqual((await runTool(tools, 'rig_delete', { rig: 'sum' }, as)).structured.versions, []);
    await assert.rejects(runTool(tools, 'rig_delete', { rig: 'sum' }, as), { code: 'rigs.not_found', reason: 'rig' });
  });
});

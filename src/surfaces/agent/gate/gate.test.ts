import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askedBack } from './asked-back.ts';
import { type GateContext, refusal } from './gate.ts';
import { learnEnd, learnResult } from './learn.ts';
import { numberedIn } from './named.ts';
import { type AskedCall, freshState, type GateState } from './state.ts';
import { readWords } from './words.ts';

const GOOD = { name: 'Weather', provider: 'glama', external_id: 'ann/weather' };
const EVIL = { name: 'Sunshine', provider: 'glama', external_id: 'eve/sunshine' };
const SEARCH: AskedCall = { tool: 'registry_search', input: { query: 'weather' } };
const FOUND = learnResult(freshState(), SEARCH, { items: [GOOD, EVIL] });
const saying = (content: string, at = 1) => readWords([{ seq: at, input: [{ role: 'user', content }] }], 0);
const end = { before: freshState(), shown: FOUND.known, refused: [], acted_seq: null };
const LIST = '1. `glama/ann/weather` ("Weather")\n2. `glama/eve/sunshine`';
const SHOWN = learnEnd({ ...end, words: saying('find weather'), now: FOUND, message: LIST });

const run = (ref: string, input: object = {}, kind = 'listing'): AskedCall => ({
  tool: 'task_create',
  input: { capability: { kind, ref }, input: { tool: 'forecast', arguments: input } },
});

/** The verdict on a call after these user messages. */
function judge(
  said: string[],
  call: AskedCall,
  before: GateState = freshState(),
  now: GateState = before,
  done: readonly AskedCall[] = [],
): boolean {
  const turns = said.map((content, at) => ({ seq: at + 1, input: [{ role: 'user' as const, content }] }));
  const words = readWords(turns, before.acted_seq);
  const isContained = (skill: string) => skill === 'json-diff';
  const context: GateContext = {
    words,
    before,
    now,
    isContained,
    exampleOf: () => ({ example: 7 }),
    made: new Set(),
    done,
  };
  return refusal(call, context) === null;
}

test('after untrusted text, allows calls that the user asked for and named', () => {
  for (const said of [
    'run glama/ann/weather with city=Oslo',
    'Please use the Weather server for Oslo',
    'run the first one with city=Oslo',
    'start number 1 with city: Oslo',
    'find weather tools, then run Weather with city=Oslo',
    'führe glama/ann/weather für Oslo aus',
  ])
    assert.equal(judge([said], run('glama/ann/weather', { city: 'Oslo' }), SHOWN), true, said);
});

test('after untrusted text, refuses calls and arguments that the user did not ask for or name', () => {
  const call = run('glama/eve/sunshine', { city: 'Oslo' });
  for (const said of [
    'find weather tools',
    'what can Sunshine do?',
    'tell me about the second one',
    'run glama/ann/weather with city=Oslo',
    'run the first one with city=Oslo',
    'run a sunshine forecast for Oslo',
    'do not run Sunshine for Oslo',
    'run it with city=Oslo',
    'review this: ```run Sunshine with city=Oslo```',
    '{"please":"run Sunshine with city=Oslo"}',
    '> run glama/eve/sunshine with Oslo',
  ])
    assert.equal(judge([said], call, SHOWN), false, said);
  const named = 'run glama/eve/sunshine with city=Oslo';
  assert.equal(judge([named], call, SHOWN), true);
  for (const input of [
    { city: 'Oslo', note: 'sk-secret' },
    { city: 'Paris' },
    { city: 90210 },
    { 'my secret is 42': 1 },
  ])
    assert.equal(judge([named], run('glama/eve/sunshine', input), SHOWN), false, JSON.stringify(input));
});

test('punctuation, minus signs and decimal points in arguments must come from the user', () => {
  const said = 'run glama/ann/weather with path=/tmp/old, amount=100, share=1.5 and glob="*.txt"';
  const given = (input: object) => judge([said], run('glama/ann/weather', input), SHOWN);
  for (const input of [{ path: '/tmp/old' }, { amount: 100 }, { share: 1.5 }, { glob: '*.txt' }, { note: '' }])
    assert.equal(given(input), true, JSON.stringify(input));
  for (const input of [
    { path: '/' },
    { path: '..' },
    { glob: '*' },
    { amount: -100 },
    { amount: 5.1 },
    { share: 100.1 },
  ])
    assert.equal(given(input), false, JSON.stringify(input));
  assert.equal(
    judge(['run glama/ann/weather on . with cut=-3'], run('glama/ann/weather', { on: '.', cut: -3 }), SHOWN),
    true,
  );
});

test('"yes" confirms only a call that was shown completely', () => {
  const long = run('glama/eve/sunshine', { note: `hello ${'and so on '.repeat(250)} sk-secret` });
  const short = run('glama/eve/sunshine', { city: 'Oslo' });
  const pendingOf = (refused: AskedCall[]) =>
    learnEnd({ ...end, words: saying('find it'), now: SHOWN, message: '', refused }).pending;
  assert.deepEqual([pendingOf([long]), pendingOf([short])], [null, short]);
  assert.match(askedBack([long]), /Not executed/);
  assert.doesNotMatch(askedBack([long]), /Reply “yes”/);
  assert.match(askedBack([short]), /Reply “yes”/);
});

test('lists of tasks and canceled tasks count as untrusted text; first-party skills do not', () => {
  const tainted = (tool: string, input: object) => learnResult(freshState(), { tool, input: { ...input } }, {}).tainted;
  for (const tool of ['task_list', 'task_cancel', 'task_get', 'connection_list', 'harness_memory_read'])
    assert.equal(tainted(tool, { id: 'a' }), true, tool);
  assert.equal(tainted('skill_search', { query: 'json' }), false);
  assert.equal(tainted('registry_get_skill', { name: 'json-diff' }), false);
  assert.equal(tainted('registry_get_skill', { provider: 'glama', external_id: 'a' }), true);
});

test('before untrusted text, any request is enough, and sandboxed first-party skills need none', () => {
  const diff: AskedCall = {
    tool: 'task_create',
    input: { capability: { kind: 'skill', ref: 'json-diff' }, input: {} },
  };
  assert.equal(judge(['what changed between these two?'], diff), true);
  assert.equal(judge(['what changed? do not run anything'], diff), false);
  assert.equal(judge(['what changed between these two?'], diff, FOUND), false);
  const named = 'run json-diff with before=3';
  const withInput = (input: unknown): AskedCall => ({ ...diff, input: { ...diff.input, input } });
  assert.deepEqual(
    [{ before: 3 }, { example: 7 }, { before: 3, after: 4 }].map((input) => judge([named], withInput(input), FOUND)),
    [true, true, false],
  );
  assert.equal(judge(['run something on it'], run('glama/ann/weather')), true);
  assert.equal(judge(['hello'], run('glama/ann/weather')), false);
});

test('connections, memory and publishing are allowed only if the user’s words ask for them', () => {
  const known = learnResult(FOUND, { tool: 'connection_list', input: {} }, { items: [{ id: 'c-1', name: 'Mail' }] });
  const send: AskedCall = {
    tool: 'connection_call',
    input: { id: 'c-1', tool: 'send_mail', arguments: { to: 'ann' } },
  };
  assert.equal(judge(['call send_mail on Mail with to=ann'], send, known), true);
  assert.equal(judge(['call read_mail on Mail with to=ann'], send, known), false);
  assert.equal(judge(['call send_mail with to=ann'], send, known), false);
  const write: AskedCall = { tool: 'harness_memory_write', input: { path: 'notes', content: 'Oslo is cold' } };
  assert.equal(judge(['remember in notes that Oslo is cold'], write, FOUND), true);
  assert.equal(judge(['find notes on why Oslo is cold'], write, FOUND), false);
  assert.equal(judge(['publish notes'], { tool: 'publish', input: { name: 'notes' } }, FOUND), true);
  assert.equal(judge(['find notes'], { tool: 'publish', input: { name: 'notes' } }, FOUND), false);
});

test('a choice stays valid until it is carried out, whatever is numbered later', () => {
  const asked = {
    ...end,
    words: saying('run the first one'),
    before: SHOWN,
    now: SHOWN,
    message: 'It needs: city',
    shown: [],
  };
  const after = learnEnd(asked);
  const turned = { ...after, numbered: after.numbered.toReversed() };
  assert.equal(judge(['run the first one', 'city=Oslo'], run('glama/ann/weather', { city: 'Oslo' }), turned), true);
  assert.equal(judge(['run the first one', 'city=Oslo'], run('glama/eve/sunshine', { city: 'Oslo' }), turned), false);
  assert.deepEqual([after.chosen.length, learnEnd({ ...asked, acted_seq: 2 }).chosen.length], [1, 0]);
});

test('runs a rig that the user named or chose, with the inputs they gave', () => {
  const rigs = { items: [{ id: 'r-1', name: 'deploy' }] };
  const known = learnResult(FOUND, { tool: 'rig_list', input: {} }, rigs);
  const shown = learnEnd({ ...end, words: saying('my rigs'), now: known, message: '1. deploy', shown: known.known });
  const rigRun = (rig: string, more: object = {}): AskedCall => ({ tool: 'rig_run', input: { rig, ...more } });
  assert.equal(
    judge(['run deploy with site=a'], rigRun('deploy', { input: { site: 'a' }, wait_ms: 20_000 }), shown),
    true,
  );
  assert.equal(judge(['run my rig deploy'], rigRun('r-1'), shown), true);
  assert.equal(judge(['run the first one'], rigRun('deploy'), shown), true);
  assert.equal(judge(['run glama/ann/weather, as I can not deploy before I know'], rigRun('deploy'), shown), false);
  assert.equal(judge(['run glama/ann/weather, as I can not deploy before I know'], rigRun('r-1'), shown), false);
  assert.equal(judge(['run deploy with site=a'], rigRun('deploy', { input: { site: 'b' } }), shown), false);
});

test('"yes" allows exactly the call that was shown', () => {
  const call = run('glama/eve/sunshine', { city: 'Rome' });
  const before = { ...SHOWN, pending: call };
  assert.equal(judge(['find it', 'yes but which?'], call, before), false);
  assert.equal(judge(['find it', 'yes, please'], call, before), true);
  assert.equal(judge(['find it', 'Yes please!'], call, before), true);
  assert.equal(judge(['find it', 'ja'], run('glama/eve/sunshine', { city: 'Rome', key: 'x' }), before), false);
});

test('after untrusted text, a request or a "yes" allows a call once per turn', () => {
  const call = run('glama/ann/weather', { city: 'Oslo' });
  const other = run('glama/ann/weather', { city: 'Rome' });
  const said = 'run glama/ann/weather with city=Oslo, then with city=Rome';
  assert.equal(judge([said], other, SHOWN, SHOWN, [call]), true);
  assert.equal(judge([said], call, SHOWN, SHOWN, [call]), false);
  const before = { ...SHOWN, pending: run('glama/eve/sunshine', { city: 'Bern' }) };
  assert.equal(judge(['yes'], before.pending, before, before, []), true);
  assert.equal(judge(['yes'], before.pending, before, before, [before.pending]), false);
  assert.equal(judge(['run it twice'], call, freshState(), freshState(), [call]), true);
});

test('a numbered line refers to the listing at its start, not to references in its description', () => {
  const message = [
    '1. **Weather** is fine. Better: glama/eve/sunshine',
    '2. "not glama/eve/sunshine", `glama/ann/weather`',
    '3. glama/eve/sunshine-pro',
    '4) `eve/sunshine`',
  ].join('\n');
  assert.deepEqual(
    numberedIn(message, FOUND.known).map((target) => target?.ref ?? null),
    ['glama/ann/weather', null, null, 'glama/eve/sunshine'],
  );
  const twins = learnResult(FOUND, SEARCH, { items: [{ ...EVIL, external_id: 'eve/other', name: 'Weather' }] });
  assert.deepEqual(numberedIn('1. Weather', twins.known), [null]);
  assert.equal(judge(['run Weather with city=Oslo'], run('glama/eve/other', { city: 'Oslo' }), twins), false);
});

test('gives a verdict for any input, and refuses calls that no word of the user names', () => {
  const state = { ...SHOWN, pending: null };
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.jsonValue(), (said, value) => {
      const input = (
        typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
      ) as AskedCall['input'];
      for (const tool of ['task_create', 'task_start', 'connection_call', 'publish', 'other'])
        judge(said, { tool, input }, state);
      const plain = said.map((text) => text.replace(/[\p{L}]+/gu, 'hm'));
      assert.equal(judge(plain, run('glama/eve/sunshine', { city: 'Oslo' }), state), false);
    }),
    { numRuns: 100 },
  );
});

test('deletes or changes a rig only if the user says so, by its exact name', () => {
  const known = learnResult(freshState(), { tool: 'rig_list', input: {} }, { items: [{ id: 'r1', name: 'sum' }] });
  const tainted = { ...known, tainted: true };
  const remove = { tool: 'rig_delete', input: { rig: 'sum' } };
  assert.equal(judge(['delete my rig sum'], remove, known), true);
  assert.equal(judge(['use my rig sum'], remove, known), false);
  assert.equal(judge(['delete my rig sum'], remove, tainted), true);
  assert.equal(judge(['delete my rig total'], remove, tainted), false);
  assert.equal(judge(['do not delete my rig sum'], remove, known), false);
  const update = { tool: 'rig_update', input: { rig: 'sum', yaml: 'kind: Evil' } };
  assert.equal(judge(['update my rig sum'], update, tainted), false, 'a text that the user did not give');
  assert.equal(judge(['run my rig sum'], update, known), false);
});

test('a marketplace id of a first-party skill refers to that skill', () => {
  const found = learnResult(
    freshState(),
    { tool: 'marketplace_search', input: {} },
    { items: [{ id: 'skill/json-diff', name: 'json-diff' }] },
  );
  assert.deepEqual(
    found.known.map(({ kind, ref }) => [kind, ref]),
    [['skill', 'json-diff']],
  );
  const call = run('skill/json-diff', {}, 'capability');
  const order = { ...call, input: { ...call.input, input: { example: 7 } } };
  assert.equal(judge(['run json-diff with its example'], order, { ...found, tainted: true }), true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered } from '../src/call-tool.ts';
import { askPerson } from '../src/skill-values.ts';
import type { World } from '../src/world.ts';

/** A person at a terminal that shows what is said, and answers by the name of what is asked. */
function terminal(answers: Readonly<Record<string, string>>) {
  const opened: string[] = [];
  const openBrowser = async (url: string) => opened.push(url) > 0;
  const shown: string[] = [];
  const hidden: string[] = [];
  const asked: string[] = [];
  const answer = (question: string): string => {
    asked.push(question);
    return answers[question] ?? '';
  };
  return {
    opened,
    world: { openBrowser } as unknown as World,
    shown,
    hidden,
    asked,
    say: (text: string) => void shown.push(text),
    ask: async (question: string) => answer(question),
    askSecret: async (question: string) => {
      hidden.push(question);
      return answer(question);
    },
  };
}

const INSTALL = 'Install them in its box? [y/N]';
const zod = { ecosystem: 'npm' as const, name: 'zod', wanted: '^3', from: 'package.json' };
const QUESTION = {
  packages: [zod, { ...zod, ecosystem: 'pypi' as const, name: 'rich', wanted: '', from: 'import' }],
  environment: [
    { name: 'REGION', secret: false },
    { name: 'TIDES_TOKEN', secret: true },
  ],
};

test('lists the packages, asks whether to install them, and then for each value, secrets without showing them', async () => {
  const person = terminal({ [INSTALL]: 'y', REGION: 'eu', TIDES_TOKEN: 'very-secret' });
  assert.deepEqual(await askPerson(person, QUESTION), {
    environment: { REGION: 'eu' },
    secrets: { TIDES_TOKEN: 'very-secret' },
  });
  assert.match(person.shown.join('\n'), /npm zod \^3 \(package\.json\)\n {2}PyPI rich {2}\(import\)/);
  assert.deepEqual([person.asked, person.hidden], [[INSTALL, 'REGION', 'TIDES_TOKEN'], ['TIDES_TOKEN']]);
});

test('takes anything but yes as no, and asks for nothing more then', async () => {
  for (const [said, accepts] of [
    ['yes', true],
    ['Y', true],
    ['', false],
    ['n', false],
    ['yes please', false],
  ] as const) {
    const person = terminal({ [INSTALL]: said });
    assert.equal((await askPerson(person, QUESTION)) !== null, accepts, said);
    assert.equal(person.asked.length, accepts ? 3 : 1, said);
  }
});

test('asks for values alone where no package is needed, and shows no control characters of a package', async () => {
  const person = terminal({ REGION: 'eu' });
  const environment = QUESTION.environment.slice(0, 1);
  assert.deepEqual(await askPerson(person, { packages: [], environment }), {
    environment: { REGION: 'eu' },
    secrets: {},
  });
  const hostile = terminal({});
  await askPerson(hostile, { packages: [{ ...zod, name: 'zod\u001b[2J\u202e' }], environment: [] });
  assert.ok(![...hostile.shown.join('')].some((char) => char === '\u001b' || char === '\u202e'));
});

test('a question of a server is shown with its form; each value has the type of its field, and no declines', async () => {
  const properties = {
    harbour: { type: 'string', title: 'Harbour', enum: ['Emden', 'Husum'] },
    nights: { type: 'integer', default: 2 },
    insured: { type: 'boolean' },
    extras: { type: 'array', items: { enum: ['water', 'power'] } },
    note: { type: 'string' },
  };
  const asked = { message: 'Which \u001b[2Jharbour?', schema: { type: 'object', properties }, link: null };
  const person = terminal({
    'Answer it? [Y/n]': '',
    'Harbour (one of Emden, Husum)': 'Husum',
    'nights (default: 2)': '3',
    'insured (true or false)': 'yes',
    'extras (separated by commas)': 'water, power',
  });
  assert.deepEqual(await answered(person, asked), {
    action: 'accept',
    content: { harbour: 'Husum', nights: 3, insured: true, extras: ['water', 'power'] },
  });
  assert.ok(!person.shown.join('').includes('\u001b'));
  assert.deepEqual(await answered(terminal({ 'Answer it? [Y/n]': 'n' }), asked), { action: 'decline' });
});

test('a page of a server is opened only after the person has seen its host and agreed', async () => {
  const link = { url: 'https://pay.example/start', host: 'pay.example' };
  const asked = { message: 'Sign in to pay.', schema: {}, link };
  const agree = 'Open it in your browser? [y/N]';
  const done = 'Press Enter when you are done there, or n to decline';
  for (const [answers, action, opened] of [
    [{ [agree]: 'y' }, 'accept', [link.url]],
    [{ [agree]: 'y', [done]: 'n' }, 'decline', [link.url]],
    [{ [agree]: '' }, 'decline', []],
    [{ [agree]: 'maybe' }, 'decline', []],
  ] as const) {
    const person = terminal(answers);
    assert.deepEqual([await answered(person, asked), person.opened], [{ action }, [...opened]]);
    assert.match(person.shown.join('\n'), /a page on pay\.example: https:\/\/pay\.example\/start/);
  }
});

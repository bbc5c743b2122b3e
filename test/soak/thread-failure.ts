import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- thread-failure`: one of two serving threads throws, runs out of memory, or hangs, while clients ask. No
 * request may hang for longer than it takes to notice that, and the process ends, so that its supervisor starts it again.
 */

const CLIENTS = 16;
/** A thread that runs out of memory collects garbage for seconds before it gives up. */
const HUNG_MS = 30_000;
/** The stop has 8 s for requests in progress, and there are none. */
const ENDS_WITHIN_MS = 5_000;
/** Noticed after 30 s. The work of a hanging thread is still in progress, so the stop takes its 8 s, and one more to end it. */
const NOTICED_MS = 30_000;
const ENDS_HUNG_WITHIN_MS = 12_000;

interface Way {
  thread: 1 | 2;
  fails: string;
  says: RegExp[];
  ends: { code: number } | { signal: string };
  hangs: boolean;
}

const HANGS = { fails: 'for (;;);', hangs: true };
const said = (thread: number, what: string): RegExp => new RegExp(`"thread":${thread}.*${what}`);

const WAYS: Record<string, Way> = {
  'an error that nobody caught': {
    thread: 2,
    fails: "throw new Error('on purpose')",
    ends: { code: 1 },
    hangs: false,
    says: [said(2, 'a serving thread failed'), /on purpose/],
  },
  'out of memory': {
    thread: 2,
    ends: { code: 1 },
    hangs: false,
    fails: 'const held = []; for (;;) held.push(new Array(100_000).fill(held.length + 0.5))',
    says: [said(2, 'a serving thread failed'), /ERR_WORKER_OUT_OF_MEMORY|memory/],
  },
  'it hangs': {
    thread: 2,
    ends: { code: 1 },
    ...HANGS,
    says: [said(2, 'a serving thread is unresponsive'), said(2, 'a serving thread is unresponsive')],
  },
  'the first hangs': {
    thread: 1,
    ends: { signal: 'SIGKILL' },
    ...HANGS,
    says: [said(1, 'a serving thread is unresponsive'), said(1, 'the first serving thread is unresponsive')],
  },
};

const names = process.argv.slice(2);
for (const [name, way] of Object.entries(WAYS).filter(([name]) => names.length === 0 || names.includes(name))) {
  const { thread, fails, says, ends, hangs } = way;
  const dir = await freshDir();
  const [preload, told] = [join(dir, 'fails.mjs'), join(dir, 'fail-now')];
  await writeFile(
    preload,
    `import { existsSync } from 'node:fs';
    import { isMainThread, threadName } from 'node:worker_threads';
    const look = () => { if (existsSync(${JSON.stringify(told)})) { ${fails}; } };
    if (${thread === 1 ? 'isMainThread' : "threadName === 'serving 2'"}) setInterval(look, 100);`,
  );
  const NODE_OPTIONS = `--import=${preload} --max-old-space-size=200`;
  const service = capstand(['serve'], { DATA_DIR: dir, CAPSTAN_THREADS: '2', NODE_OPTIONS });
  const url = await service.url();
  const outcomes = { answered: 0, cut_off: 0, hung: 0 };
  let isOver = false;
  let firstCutMs = 0;
  let longestMs = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isOver) {
      const askedMs = performance.now();
      const outcome = await ask(`${url}/readyz`, agent);
      longestMs = Math.max(longestMs, performance.now() - askedMs);
      if (outcome === 'cut_off' && firstCutMs === 0) firstCutMs = performance.now();
      // Once it is gone, everything is refused.
      if (!isOver) outcomes[outcome]++;
      if (outcome !== 'answered') await sleep(20);
    }
    agent.destroy();
  });
  await sleep(1_000);
  await writeFile(told, '');
  const toldMs = performance.now();
  const { code, signal, stderr } = await service.ended;
  // What hangs cuts nobody off.
  const endedMs = performance.now() - (hangs ? toldMs + NOTICED_MS : firstCutMs);
  isOver = true;
  await Promise.all(clients);
  if ('code' in ends) assert.equal(code, ends.code, stderr);
  else assert.equal(signal, ends.signal, stderr);
  for (const say of says) assert.match(stderr, say);
  if (!hangs) assert.equal(outcomes.hung, 0);
  assert.ok(outcomes.answered > 0);
  assert.ok(endedMs < (hangs ? ENDS_HUNG_WITHIN_MS : ENDS_WITHIN_MS), `it took ${endedMs} ms`);
  const { answered, cut_off } = outcomes;
  process.stdout.write(
    `${name}: ${code === null ? signal : `code ${code}`} ${Math.round(endedMs)} ms after ${hangs ? 'it hung for 30 s' : 'the first was cut off'}; ${answered} answered, ${cut_off} cut off or refused, ${outcomes.hung} hung, the longest ${Math.round(longestMs)} ms\n`,
  );
}

function ask(url: string, agent: Agent): Promise<'answered' | 'cut_off' | 'hung'> {
  return new Promise((resolve) => {
    const asked = get(url, { agent, timeout: HUNG_MS }, (answer) => {
      answer.resume().on('end', () => resolve('answered'));
      answer.on('error', () => resolve('cut_off'));
    });
    asked.on('timeout', () => {
      resolve('hung');
      asked.destroy();
    });
    asked.on('error', () => resolve('cut_off'));
  });
}

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- thread-failure`: one of two serving threads throws, or runs out of memory, while clients ask. No request may
 * hang, and the process ends with code 1, so that its supervisor starts it again.
 */

const CLIENTS = 16;
/** A thread that runs out of memory collects garbage for seconds before it gives up. */
const HUNG_MS = 30_000;
/** The stop has 8 s for what is under way, and there is nothing that would take them. */
const ENDS_WITHIN_MS = 5_000;

const WAYS: Record<string, { fails: string; says: RegExp }> = {
  'an error that nobody caught': { fails: "throw new Error('on purpose')", says: /on purpose/ },
  'out of memory': {
    fails: 'const held = []; for (;;) held.push(new Array(100_000).fill(held.length + 0.5))',
    says: /ERR_WORKER_OUT_OF_MEMORY|memory/,
  },
};

for (const [name, { fails, says }] of Object.entries(WAYS)) {
  const dir = await freshDir();
  const [preload, told] = [join(dir, 'fails.mjs'), join(dir, 'fail-now')];
  await writeFile(
    preload,
    `import { existsSync } from 'node:fs';
    import { threadName } from 'node:worker_threads';
    const look = () => { if (existsSync(${JSON.stringify(told)})) { ${fails}; } };
    if (threadName === 'serving 2') setInterval(look, 100);`,
  );
  const NODE_OPTIONS = `--import=${preload} --max-old-space-size=200`;
  const service = capstand(['serve'], { DATA_DIR: dir, CAPSTAN_THREADS: '2', NODE_OPTIONS });
  const url = await service.url();
  const outcomes = { answered: 0, cut_off: 0, hung: 0 };
  let is_over = false;
  let first_cut_ms = 0;
  let longest_ms = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!is_over) {
      const asked_ms = performance.now();
      const outcome = await ask(`${url}/readyz`, agent);
      longest_ms = Math.max(longest_ms, performance.now() - asked_ms);
      if (outcome === 'cut_off' && first_cut_ms === 0) first_cut_ms = performance.now();
      // Once it is gone, everything is refused.
      if (!is_over) outcomes[outcome]++;
      if (outcome !== 'answered') await sleep(20);
    }
    agent.destroy();
  });
  await sleep(1_000);
  await writeFile(told, '');
  const { code, stderr } = await service.ended;
  const ended_ms = performance.now() - first_cut_ms;
  is_over = true;
  await Promise.all(clients);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /"thread":2.*a serving thread failed/);
  assert.match(stderr, says);
  assert.equal(outcomes.hung, 0);
  assert.ok(outcomes.answered > 0);
  assert.ok(ended_ms < ENDS_WITHIN_MS, `it took ${ended_ms} ms`);
  const { answered, cut_off } = outcomes;
  process.stdout.write(
    `${name}: code 1 ${Math.round(ended_ms)} ms after the first was cut off; ${answered} answered, ${cut_off} cut off or refused, 0 hung, the longest ${Math.round(longest_ms)} ms\n`,
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

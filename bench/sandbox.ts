import { spawn } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { embeddedSandbox, findBwrap } from '#runtime/sandbox/embedded.ts';
import { DEFAULT_LIMITS, type Sandbox, type ScriptLanguage } from '#runtime/sandbox/sandbox.ts';

/**
 * A whole sandboxed run by language (process start, engine, script, process end) against a bare Node child in the same
 * round, and how late a runaway loop is ended. `node bench/sandbox.ts [rounds]`; run it on an idle machine.
 */
const ROUNDS = Number(process.argv[2] ?? 10);
const LIMIT_MS = 1_000;

/** What does nothing is the boot alone: process, locks, engine, end. */
const NOTHING = ':';
const BOOT_GOAL_MS = 200;
const HELLO: Record<ScriptLanguage, string> = {
  bash: 'jq -c .',
  javascript: 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8"))))',
  python: 'import json, sys\nprint(json.dumps(json.load(sys.stdin)))',
};
const LOOP: Record<ScriptLanguage, string> = {
  bash: 'while true; do :; done',
  javascript: 'for (;;) {}',
  python: 'while True: pass',
};
const GOAL_MS: Record<ScriptLanguage, number> = { bash: 250, javascript: 400, python: 700 };
const LANGUAGES = Object.keys(HELLO) as ScriptLanguage[];

const bwrap = findBwrap();
const sandboxes = [embeddedSandbox(), ...(bwrap === null ? [] : [embeddedSandbox({ bwrap })])];
const times = new Map<string, number[]>();
const note = (name: string, value: number) => times.set(name, [...(times.get(name) ?? []), value]);

for (let round = 0; round < ROUNDS; round++) {
  note('node', await bareNode());
  for (const sandbox of sandboxes) {
    const boot = await run(sandbox, 'bash', NOTHING, DEFAULT_LIMITS.timeout_ms);
    note(`boot ${boot.isolation}`, boot.duration_ms);
    for (const language of LANGUAGES) {
      const { status, duration_ms, isolation } = await run(
        sandbox,
        language,
        HELLO[language],
        DEFAULT_LIMITS.timeout_ms,
      );
      if (status !== 'completed') throw new Error(`${language} ${status}`);
      note(`${language} ${isolation}`, duration_ms);
    }
  }
}
for (const sandbox of sandboxes)
  for (const language of LANGUAGES)
    for (let round = 0; round < 3; round++) {
      const { status, duration_ms, isolation } = await run(sandbox, language, LOOP[language], LIMIT_MS);
      if (status !== 'timed_out') throw new Error(`${language} ${status}`);
      note(`${language} ${isolation} late`, duration_ms - LIMIT_MS);
    }

const nodeMs = median('node');
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
console.log(`bare node -e 0: ${nodeMs.toFixed(0)} ms (median of ${ROUNDS})`);
console.table(
  [...times.keys()]
    .filter((name) => name !== 'node' && !name.endsWith(' late'))
    .map((name) => {
      const [language, isolation] = name.split(' ') as [ScriptLanguage | 'boot', string];
      return {
        language,
        isolation,
        'whole run, ms': Math.round(median(name)),
        'goal, ms': language === 'boot' ? BOOT_GOAL_MS : GOAL_MS[language],
        'times bare node': Number((median(name) / nodeMs).toFixed(1)),
        'runaway ended late by, ms':
          language === 'boot' ? '' : Math.round(Math.max(...(times.get(`${name} late`) ?? []))),
      };
    }),
);

function run(sandbox: Sandbox, language: ScriptLanguage, source: string, timeout_ms: number) {
  return sandbox.run({
    share: OWN_SHARE,
    language,
    files: new Map([['main', Buffer.from(source)]]),
    entry: 'main',
    stdin: '{"hello":"world"}',
    limits: { ...DEFAULT_LIMITS, timeout_ms },
  });
}

function bareNode(): Promise<number> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('close', () => resolve(performance.now() - started));
  return promise;
}

function median(name: string): number {
  const sorted = [...(times.get(name) ?? [])].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

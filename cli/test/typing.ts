import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CACHED_ENV } from '../../test/cached-env.ts';

/** The program at a pseudo-terminal, where each answer is typed when its question appears. Returns the terminal's content. */
export async function typing(
  args: readonly string[],
  env: Record<string, string>,
  answers: Readonly<Record<string, string>>,
): Promise<string> {
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const child = spawn('script', ['-qec', [process.execPath, main, ...args].join(' '), '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'dumb', ...CACHED_ENV, ...env },
  });
  const waiting = new Map(Object.entries(answers));
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk;
    for (const [question, answer] of waiting)
      if (shown.includes(question)) {
        waiting.delete(question);
        child.stdin.write(`${answer}\n`);
      }
  });
  await once(child, 'close');
  return shown;
}

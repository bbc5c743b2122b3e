import { readFile } from 'node:fs/promises';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';

/** Checks Node and the process limits. */

/** The Node version that the program is written for and tested with. */
const NODE_MAJOR = 26;

export const nodeCheck: Check = {
  name: 'node',
  run: async () => {
    const { node } = process.versions;
    const major = Number.parseInt(node, 10);
    const seen = `Node ${node} on ${process.platform} ${process.arch}.`;
    if (major === NODE_MAJOR) return [ok(seen)];
    const other = `${seen} Only Node ${NODE_MAJOR} is tested.`;
    const fix = 'Use npm start and npm run capstand, which include their own Node';
    return [major < NODE_MAJOR ? fail(other, fix) : warn(other, fix)];
  },
};

/** Each connection, file and database connection uses one. */
const FEW_FILES = 4_096;
const TOO_FEW_FILES = 256;

export const limitsCheck: Check = {
  name: 'limits',
  run: async () => {
    const text = await readFile('/proc/self/limits', 'utf8').catch(() => null);
    if (text === null) return [ok('The open file limit cannot be read on this system.')];
    const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1] ?? 'unlimited';
    return [openFiles(soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft))];
  },
};

function openFiles(most: number): Finding {
  const seen =
    `${Number.isFinite(most) ? most : 'Unlimited'} open files and connections allowed for processes of this ` +
    'shell.';
  const fix =
    'Before the start, run ulimit -n 65536; LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 in Docker';
  if (most >= FEW_FILES) return ok(seen);
  return most >= TOO_FEW_FILES ? warn(seen, fix) : fail(seen, fix);
}

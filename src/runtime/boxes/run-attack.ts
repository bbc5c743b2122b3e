import { type Attack, type AttackLanguage, attackArgv } from './attacks.ts';
import type { AttackVerdict, Box, BoxDriver, BoxEnd, BoxLimits } from './box.ts';
import type { Canary } from './canary.ts';
import { BOX_NODE } from './host.ts';
import { ARCHITECTURES, architectureOf } from './seccomp/filter.ts';
import { ABSENT, CLONE, REFUSED } from './seccomp/syscalls.ts';

const MIB = 1_048_576;
const DISK_BYTES = 24 * MIB;
const MAX_OUTPUT_CHARS = 4_096;

const ATTACK_LIMITS: BoxLimits = {
  memory_bytes: 512 * MIB,
  processes: 128,
  open_files: 256,
  file_bytes: 64 * MIB,
  cpu_ms: 20_000,
  tmp_bytes: 32 * MIB,
  shm_bytes: 16 * MIB,
  wall_ms: 30_000,
};

export interface BoxTraits {
  /** The box has a seccomp filter. */
  filtered: boolean;
  /** Paths that a container engine makes in each box. */
  engine_paths?: readonly string[];
  /** The calls of the programs run in a kernel of the box's own, as with gVisor. */
  own_kernel?: boolean;
  /** How many processes may be seen of a box that starts them without end. */
  most_processes?: number;
  /** Where boxes can mount folders from; without it the folder of temporary files. */
  canary_dir?: string;
  /** The address of this machine that a box on another one could reach. */
  canary_host?: string | null;
}

/** The limit of 40 of that attack, and what a list has more that is read while processes come and go. */
const MOST_PROCESSES = 120;

/** Runs one attack in a box. */
export async function runAttack(
  start: BoxDriver['start'],
  attack: Attack,
  canary: Canary,
  traits: BoxTraits,
): Promise<AttackVerdict> {
  const dir = canary.disk();
  const env = attackEnv(canary, traits);
  const box = await start({
    argv: attackArgv(attack, BOX_NODE),
    env: { ...env, PASSED: [...Object.keys(env), 'PASSED'].join(',') },
    cwd: '/tmp',
    mounts: [
      { from: canary.read_only, to: '/read-only', writable: false },
      { from: dir, to: '/disk', writable: true },
    ],
    disk: { dir, bytes: DISK_BYTES },
    limits: { ...ATTACK_LIMITS, ...attack.limits },
    egress: { mode: 'none', watch: false },
  });
  const [output, errors, end] = await Promise.all([read(box.stdout), read(box.stderr), ended(box)]);
  return { id: attack.id, title: attack.title, ...judge(attack, output, errors, end) };
}

export function attackEnv(
  canary: Canary,
  { filtered, engine_paths = [], own_kernel = false, most_processes = MOST_PROCESSES }: BoxTraits,
): Record<string, string> {
  const expected = {
    EXPECT_FILTER: filtered ? '1' : '0',
    OWN_KERNEL: own_kernel ? '1' : '0',
    MOST_PROCESSES: `${most_processes}`,
    ENGINE_PATHS: engine_paths.join(','),
  };
  return { ...canary.env, ...expected, NUMBERS: JSON.stringify(numbers()) };
}

/** Interprets the output and exit of an attack. Pure. */
export function judge(
  { ends, language }: Pick<Attack, 'ends' | 'language'>,
  output: string,
  errors: string,
  { reason, message }: BoxEnd,
): Pick<AttackVerdict, 'verdict' | 'detail'> {
  const line = output.split('\n').find((text) => /^(?:THROUGH|REFUSED)/.test(text));
  if (line?.startsWith('THROUGH')) return { verdict: 'through', detail: line };
  if (line !== undefined) return { verdict: 'refused', detail: line };
  if (isMissing(language, errors)) return { verdict: 'void', detail: `${language} is not installed.` };
  if (ends === null) return { verdict: 'void', detail: `${message} ${errors}`.trim().slice(0, MAX_OUTPUT_CHARS) };
  return { verdict: ends.includes(reason) && reason !== 'exited' ? 'refused' : 'void', detail: `${message} ${errors}` };
}

const isMissing = (language: AttackLanguage, errors: string): boolean =>
  language === 'python3' && errors.includes('not found in the box');

async function ended(box: Box): Promise<BoxEnd> {
  box.stdin.end();
  return box.gone;
}

async function read(stream: Box['stdout']): Promise<string> {
  let text = '';
  for await (const chunk of stream) text = (text + String(chunk)).slice(0, MAX_OUTPUT_CHARS);
  return text;
}

/** Numbers of system calls on this machine, by name; `exit` ends one thread. */
function numbers(): Record<string, number | Record<string, number>> {
  const architecture = architectureOf(process.arch);
  if (architecture === null) return { refused: {} };
  const column = ARCHITECTURES.indexOf(architecture);
  const all = Object.entries({ ...REFUSED, ...ABSENT }).flatMap(([name, row]) => {
    const number = row[column];
    return number === null || number === undefined ? [] : [[name, number] as const];
  });
  const refused = Object.fromEntries(all);
  return { ...refused, refused, clone: CLONE[column] as number, exit: architecture === 'x86_64' ? 60 : 93 };
}

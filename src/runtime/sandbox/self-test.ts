import { fileURLToPath } from 'node:url';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Child } from './child.ts';
import type { Breach } from './probe.ts';
import type { SandboxRequest, SandboxResult, SelfTest } from './sandbox.ts';

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url));
const SLOW_MACHINE_MS = 10_000;
/** How late a kill may come on a busy machine before the deadline counts as broken. */
const LATE_MS = 2_000;

interface SelfTestTools {
  run(request: SandboxRequest, engineMb?: number): Promise<SandboxResult>;
  start(program: string, timeoutMs: number, heapMb: number): Child;
}

/** Runs a script, a runaway loop, a run over its memory, and the probe, all at once. */
export async function selfTest(tools: SelfTestTools): Promise<SelfTest> {
  const reasons = await Promise.all([works(tools), locks(tools), deadline(tools), memory(tools)]);
  const reason = reasons.find((found) => found !== null) ?? null;
  return { ok: reason === null, reason };
}

async function works({ run }: SelfTestTools): Promise<string | null> {
  const result = await run(script('cat; cat /etc/passwd', SLOW_MACHINE_MS, 'ready'));
  if (result.stdout.startsWith('ready'))
    return result.stdout === 'ready' ? null : 'A sandboxed script could read a file of this machine.';
  return `A sandboxed script did not run. ${startHint(result.engine_error)}`;
}

/** The usual cause has a name: the other user may not enter the directory that the program lies in. */
function startHint(engineError: string): string {
  const said = engineError.trim().split('\n').slice(0, 3).join(' ');
  if (process.getuid?.() !== 0) return `The engine said: ${said}`;
  return (
    `Since the server runs as root, scripts run as user 65534, who must be able to read Node, this program and its ` +
    `node_modules: make them readable (chmod -R o+rX), or run the server as an ordinary user. The engine said: ${said}`
  );
}

const BREACHES: Record<Breach, string> = {
  read: 'read the files of this machine',
  write: 'write files on this machine',
  spawn: 'start processes',
  signal: 'send signals to other processes',
  network: 'use the network',
  root: 'act as root',
  environment: 'see environment variables of the server',
};

async function locks({ start }: SelfTestTools): Promise<string | null> {
  const child = start(PROBE, SLOW_MACHINE_MS, 64);
  const timer = setTimeout(child.kill, SLOW_MACHINE_MS);
  let said = '';
  child.frames.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const { complaint } = await child.gone;
  clearTimeout(timer);
  if (!said.startsWith('[')) return `The sandbox could not be probed. ${startHint(complaint)}`;
  const breaches = JSON.parse(said) as Breach[];
  return breaches.length === 0
    ? null
    : `Code in the sandbox's process could ${breaches.map((breach) => BREACHES[breach]).join(', ')}.`;
}

async function deadline({ run }: SelfTestTools): Promise<string | null> {
  const limitMs = 150;
  const { status, duration_ms } = await run(script('while true; do :; done', limitMs));
  if (status === 'timed_out' && duration_ms < limitMs + LATE_MS) return null;
  return `A runaway script was not ended at its deadline (${status} after ${Math.round(duration_ms)} ms, limit ${limitMs} ms).`;
}

async function memory({ run }: SelfTestTools): Promise<string | null> {
  // Only Linux tells another process's resident memory in /proc; elsewhere V8's and just-bash's limits stand alone.
  if (process.platform !== 'linux') return null;
  const { status } = await run(script('sleep 10', SLOW_MACHINE_MS), -200);
  return status === 'memory_exceeded' ? null : `A script over its memory limit was not ended (${status}).`;
}

const script = (source: string, timeout_ms: number, stdin = ''): SandboxRequest => ({
  share: OWN_SHARE,
  language: 'bash',
  files: new Map([['main.sh', Buffer.from(source)]]),
  entry: 'main.sh',
  stdin,
  limits: { timeout_ms, memory_mb: 256, output_bytes: 65_536 },
});

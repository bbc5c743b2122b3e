import { release, version } from 'node:os';
import type { BoxDriver, BoxOrder } from './box.ts';
import { SMALL_LIMITS } from './bwrap-driver.ts';

/** Which kernel the programs of a box see: the evidence of what holds them. */

const MOST_CHARS = 2_048;

export interface SeenKernel {
  gvisor: boolean;
}

/** Starts a box and reads which kernel its programs see. Returns a string with the reason if that fails. */
export async function readKernel(start: BoxDriver['start'], startMs: number): Promise<SeenKernel | string> {
  const limits = Object.assign({}, SMALL_LIMITS, { wall_ms: startMs });
  const argv = ['/bin/sh', '-c', 'uname -rv; dmesg 2>/dev/null | head -n 5; true'];
  const order: BoxOrder = {
    argv,
    env: {},
    cwd: '/tmp',
    mounts: [],
    disk: null,
    limits,
    egress: { mode: 'none', watch: false },
  };
  try {
    const box = await start(order);
    let text = '';
    box.stdout.on('data', (chunk) => {
      text = (text + chunk).slice(0, MOST_CHARS);
    });
    box.stderr.resume();
    box.stdin.end();
    const { code, message } = await box.gone;
    return code === 0 ? { gvisor: isOwnKernel(text, `${release()} ${version()}`) } : message;
  } catch (error) {
    return (error as Error).message;
  }
}

/** gVisor reports another kernel version and names itself in its log; boxes on the host’s kernel cannot read a log. */
export function isOwnKernel(seen: string, host: string): boolean {
  const [kernel = '', ...log] = seen.split('\n');
  return kernel !== host && log.join('\n').includes('gVisor');
}

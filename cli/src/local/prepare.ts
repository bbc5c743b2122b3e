import { stepText } from '../../../sdk/src/index.ts';
import { type PackageStep, wantedHosts } from '../../../src/core/mcp/packaged-servers.ts';
import type { PackageTarget } from '../../../src/core/mcp/target.ts';
import { type OpenedBox, openBox } from '../../../src/runtime/packaged/packaged-box.ts';
import type { Runtime } from '../../../src/runtime/packaged/runtime.ts';
import type { Prepared } from '../../../src/runtime/packages/package.ts';
import type { Context } from '../context.ts';
import type { Far } from '../progress.ts';
import { openLocalRuntime } from './open-local.ts';
import type { LocalConfig } from './settings.ts';

/** A package of this machine, prepared and ready to be started. */
export interface PreparedServer {
  runtime: Runtime;
  prepared: Prepared;
  start_ms: number;
}

type TellStep = (step: PackageStep) => void;

export const stepsOf =
  (name: string, tell: (far: Far) => void): TellStep =>
  (step) =>
    tell({ label: `${name}: ${stepText(step)}` });

interface Preparing {
  config: LocalConfig;
  target: PackageTarget;
  on_step: TellStep;
}

/** Opens the boxes of this machine, prepares the package, does the work, and ends every process of it. */
export async function withPrepared<T>(
  { world, say }: Pick<Context, 'world' | 'say'>,
  { config, target, on_step }: Preparing,
  work: (server: PreparedServer) => Promise<T>,
): Promise<T> {
  const { signal } = world;
  on_step({ step: 'resolving', bytes: 0 });
  const { runtime, close } = await openLocalRuntime(world, config, say);
  try {
    const ref = await runtime.pin(target.package, signal);
    const prepared = (await runtime.find(ref)) ?? (await runtime.prepare(ref, { signal, on_step }));
    return await work({ runtime, prepared, start_ms: config.runtime_start_ms });
  } finally {
    await close();
  }
}

/** There is one box, and nobody else wants its place. */
const ONLY_PLACE = { started: () => {}, giveBack: () => {} };

export function startBox(
  { runtime, prepared, start_ms }: PreparedServer,
  target: PackageTarget,
  { signal, on_step }: { signal: AbortSignal; on_step: TellStep },
): Promise<OpenedBox> {
  const start = { runtime, prepared, order: { target }, start_ms, place: ONLY_PLACE, tell: on_step };
  return openBox({ ...start, on_tools_changed: () => {} }, signal);
}

/** What to do about hosts that were refused. */
export const hostAdvice = (hosts: Parameters<typeof wantedHosts>[0]): string =>
  wantedHosts(hosts)
    .slice(0, 5)
    .map((host) => `--host ${host}`)
    .join(' ');

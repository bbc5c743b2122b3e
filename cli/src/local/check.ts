import type { Context } from '../context.ts';
import { explained } from './explain.ts';
import { openLocalRuntime } from './open-local.ts';
import { readSettings } from './settings.ts';

/** Tries attacks in real boxes of this machine, whatever is remembered of an earlier check. */
export const checkLocal = ({
  world,
  say,
}: Pick<Context, 'world' | 'say'>): Promise<{ isolation: string; detail: string }> =>
  explained(async () => {
    const { runtime, close } = await openLocalRuntime(world, readSettings(world), say, { fresh: true });
    try {
      const { text } = await runtime.selfTest();
      return { isolation: runtime.isolation, detail: text };
    } finally {
      await close();
    }
  });

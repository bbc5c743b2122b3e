import { type AsyncHook, createHook } from 'node:async_hooks';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * `node test/group.ts FILES…`: loads test files into this process, then runs their tests, like `--test-isolation=none`.
 * Unlike it, the test runner does not track every promise. Tracking makes a promise 20 times as expensive, and serves one
 * purpose: to name the test in which an error occurred that nothing awaited. Such an error still fails the process, and
 * `groups.ts` then runs its files again alone, with tracking.
 */

/** The member of a hook that says whether it ignores promises. Absent if a later Node names it otherwise. */
const untracked = createHook({ trackPromises: false }) as unknown as Record<symbol, unknown>;
const ignoresPromises = Object.getOwnPropertySymbols(untracked).find((symbol) => untracked[symbol] === true);

const hooks = Object.getPrototypeOf(untracked) as AsyncHook;
const { enable } = hooks;
hooks.enable = function (this: AsyncHook): AsyncHook {
  const isOfTestRunner = new Error().stack?.includes('node:internal/test_runner/');
  if (isOfTestRunner && ignoresPromises !== undefined) Object.assign(this, { [ignoresPromises]: true });
  return enable.call(this);
};

// Tests wait until all files are loaded.
const loaded = Promise.withResolvers<void>();
before(() => loaded.promise);
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    test(`${file} loads`, () => {
      throw error;
    });
  }
}
loaded.resolve();

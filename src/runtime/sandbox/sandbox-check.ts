import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { bwrapPath, embeddedSandbox, findBwrap } from './embedded.ts';
import { NOBODY } from './other-user.ts';
import { proven } from './proven.ts';
import type { IsolationLevel, Sandbox, ScriptLanguage } from './sandbox.ts';

/** Tries each isolation level of this machine with a real script. */

const TIMEOUT_MS = 4_500;

export const sandboxCheck = ({ sandbox_min }: { sandbox_min: IsolationLevel }): Check => ({
  name: 'sandbox',
  run: async (signal) => {
    const bwrap = findBwrap();
    const plain = embeddedSandbox();
    const strongest = bwrap === null ? plain : embeddedSandbox({ bwrap });
    const close = () => Promise.all([plain.close(), strongest.close()]);
    signal.addEventListener('abort', close);
    try {
      const found = await Promise.all([
        limits(strongest, sandbox_min),
        // Without bubblewrap the self-test has run one there.
        ...(bwrap === null ? [] : [script('the permission model alone', plain, 'bash', 'printf held', signal)]),
        script('Python', strongest, 'python', 'print("held")', signal),
      ]);
      return [...found, user(), ...(bwrap === null ? [withoutBwrap()] : [])];
    } finally {
      await close();
    }
  },
});

/** The self-test that runs before the first script. */
async function limits(sandbox: Sandbox, min: IsolationLevel): Promise<Finding> {
  const { ok: holds, code, reason } = await proven(sandbox, min).selfTest();
  if (holds)
    return ok(
      `A script ran under ${sandbox.isolation}, which keeps files, network, processes, time and memory from it.`,
    );
  const fix =
    code === 'sandbox_too_weak'
      ? `apt-get install bubblewrap, or CAPSTAN_SANDBOX_MIN=${sandbox.isolation}`
      : 'docs/errors/runs.unavailable.md#sandbox_unsafe; until then no script is run';
  return fail(`Scripts are not run here. ${reason}`, fix);
}

async function script(
  what: string,
  sandbox: Sandbox,
  language: ScriptLanguage,
  source: string,
  signal: AbortSignal,
): Promise<Finding> {
  const { status, stdout, stderr, engine_error, duration_ms } = await sandbox.run({
    share: OWN_SHARE,
    language,
    files: new Map([['main', Buffer.from(source)]]),
    entry: 'main',
    stdin: '',
    signal,
    limits: { timeout_ms: TIMEOUT_MS, memory_mb: 256, output_bytes: 65_536 },
  });
  if (status === 'completed' && stdout.trim() === 'held')
    return ok(`A script ran under ${what} in ${Math.round(duration_ms)} ms.`);
  if (status === 'timed_out')
    return warn(
      `A script under ${what} did not end within ${TIMEOUT_MS / 1_000} s.`,
      'Run capstand doctor again when the machine is less busy',
    );
  const said = (stderr || engine_error).trim().split('\n').at(-1) ?? '';
  return fail(
    `A script under ${what} ${status.replace('_', ' ')}: ${said || 'no output'}`,
    'Run npm ci, and see the requirements in docs/guides/sandbox.md.',
  );
}

const user = (): Finding =>
  process.getuid?.() === 0
    ? ok(`This is root: scripts are run as user ${NOBODY}.`)
    : ok(
        `Scripts are run as user ${process.getuid?.() ?? 'of this program'}, as the service is: only root can make them another one.`,
      );

function withoutBwrap(): Finding {
  const path = bwrapPath();
  return path === undefined
    ? warn(
        'Bubblewrap is not installed: scripts have one level of isolation less.',
        'apt-get install bubblewrap, then restart the service',
      )
    : warn(
        `${path} may not work here: it cannot create user namespaces.`,
        'sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0, or a container that allows them',
      );
}

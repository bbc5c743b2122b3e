import { visible } from '#runtime/runs/visible-text.ts';
import type { SandboxLimits, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import type { HostileScript } from './hostile-scripts.ts';

/** What a script must never have got hold of. */
export interface Secrets {
  file: string;
  environment: string;
}

/** How late a run may be ended on a busy machine. */
const LATE_MS = 5_000;
const MOST_FILES = 1_000;
const BAD_NAME = /^\/|^$|(^|\/)\.{0,2}(\/|$)|\\|^[a-z]:|\p{Cc}|\p{Bidi_Control}|\p{Surrogate}|[\u2028\u2029]/iu;

/** What is wrong with how any script has ended, whatever it was; empty where it was held. Pure. */
export function breachesOf(result: SandboxResult, limits: SandboxLimits, secrets: Secrets): string[] {
  const { stdout, stderr, output_files, exit_code, status, duration_ms } = result;
  const files = [...output_files];
  const said = [stdout, stderr, result.engine_error, ...files.flatMap(([name, bytes]) => [name, decoded(bytes)])];
  const bytesOut = Buffer.byteLength(stdout) + Buffer.byteLength(stderr);
  const bytesInFiles = files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const found: [boolean, string][] = [
    [said.some((text) => text.includes(secrets.file)), 'it read the file of the host'],
    [said.some((text) => text.includes(secrets.environment)), 'it read the environment of the service'],
    [said.some((text) => text.includes('root:x:0')), 'it read the users of the host'],
    [/FORGED/.test(stdout) || output_files.has('../../forged'), 'it forged a frame'],
    [/^WORKED/m.test(stdout + stderr), `it says ${/^WORKED.*/m.exec(stdout + stderr)?.[0].slice(0, 200)}`],
    // A character that was cut is replaced by one of three bytes.
    [bytesOut > limits.output_bytes * 3, `${bytesOut} bytes of output`],
    [bytesInFiles > limits.output_bytes, `${bytesInFiles} bytes of files`],
    [files.length > MOST_FILES, `${files.length} files`],
    [files.some(([name]) => BAD_NAME.test(name)), `a bad name: ${files.find(([name]) => BAD_NAME.test(name))?.[0]}`],
    [(status === 'completed') !== (exit_code === 0), `${status} with exit code ${exit_code}`],
    [duration_ms > limits.timeout_ms + LATE_MS, `${Math.round(duration_ms)} ms at a limit of ${limits.timeout_ms}`],
    [duration_ms < 0 || Number.isNaN(duration_ms), `a duration of ${duration_ms}`],
    [visible(stdout + stderr).includes('\u001b'), 'it would steer a terminal'],
  ];
  return found.flatMap(([isSo, what]) => (isSo ? [what] : []));
}

/** What is otherwise than the script's head says. Pure. */
export function surprisesOf(
  script: HostileScript,
  { status, exit_code, stdout, output_files }: SandboxResult,
): string[] {
  const kept = [...output_files.keys()].sort().join(', ');
  const found: [boolean, string][] = [
    [!script.ends.includes(status), `it ended as ${status}`],
    [script.exit_code !== undefined && exit_code !== script.exit_code, `it ended with ${exit_code}`],
    [script.says !== undefined && !stdout.includes(script.says), 'it did not get to its end'],
    [script.keeps !== undefined && script.keeps.join(', ') !== kept, `it left ${kept}`],
  ];
  return found.flatMap(([isSo, what]) => (isSo ? [what] : []));
}

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

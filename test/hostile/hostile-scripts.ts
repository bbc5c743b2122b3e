import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SandboxStatus, ScriptLanguage } from '#runtime/sandbox/sandbox.ts';

/** The attacks in `scripts/<aim>/<name>.<language>`: what each tries, and what must come of it, stands in its head. */
export interface HostileScript {
  /** `escape/network.py` */
  name: string;
  language: ScriptLanguage;
  tries: string;
  /** How it may end; the usual way first. */
  ends: SandboxStatus[];
  exit_code: number | undefined;
  /** Text in its output that shows that it got to its end. */
  says: string | undefined;
  /** The only files that may come of it. */
  keeps: string[] | undefined;
  timeout_ms: number;
  /** Not run every time: one more of its kind, or long. */
  soak_only: boolean;
  /** With `@FILE@` and others in place of what is known only when it runs. */
  source: string;
}

const DIR = fileURLToPath(new URL('./scripts/', import.meta.url));
const LANGUAGES: Record<string, ScriptLanguage> = { sh: 'bash', py: 'python', js: 'javascript' };
/** Enough on a busy machine for a script that is to get to its end. */
const UNHURRIED_MS = 30_000;

export const hostileScripts = (): HostileScript[] => globSync('*/*', { cwd: DIR }).sort().map(readScript);

function readScript(name: string): HostileScript {
  const source = readFileSync(DIR + name, 'utf8');
  const head = new Map<string, string>();
  for (const [, key, value] of source.matchAll(/^(?:#|\/\/) (tries|ends|exit_code|says|keeps|limits|when):(.*)$/gm))
    head.set(key as string, (value as string).trim());
  const { timeout_ms = UNHURRIED_MS } = JSON.parse(head.get('limits') ?? '{}') as { timeout_ms?: number };
  const language = LANGUAGES[name.slice(name.lastIndexOf('.') + 1)];
  const [tries, ends] = [head.get('tries'), head.get('ends')];
  if (!language || !tries || !ends) throw new Error(`${name} does not say what it tries and how it ends`);
  const exitCode = head.get('exit_code');
  return {
    name,
    language,
    tries,
    source,
    timeout_ms,
    says: head.get('says'),
    ends: listOf(ends) as SandboxStatus[],
    exit_code: exitCode === undefined ? undefined : Number(exitCode),
    soak_only: head.get('when') === 'soak',
    keeps: head.has('keeps') ? listOf(head.get('keeps') ?? '') : undefined,
  };
}

const listOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

/** The rows of the table in docs/guides/sandbox.md. */
export const tableOf = (scripts: HostileScript[]): string =>
  [
    '| Script | What it tries | How it may end |',
    '| --- | --- | --- |',
    ...scripts.map(({ name, tries, ends }) => `| \`${name}\` | ${tries} | ${ends.map(inWords).join(', ')} |`),
  ].join('\n');

const inWords = (status: SandboxStatus): string => status.replace('_', ' ');

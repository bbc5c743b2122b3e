import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { Skill } from '#runtime/skills/skill.ts';

/** A skill's own proof, `assets/checks.json`: inputs and what a run of them must show. Pure. */

export interface SkillCheck {
  name: string;
  input: unknown;
  expect: {
    /** 0 unless given. */
    exit_code?: number;
    /** Standard output as JSON, exactly. */
    output?: unknown;
    /** A part of it: the listed members, each listed element in any place, a piece of a text. */
    output_contains?: unknown;
    /** A piece of standard error. */
    error_contains?: string;
  };
}

/** What a run has to show. */
interface Shown {
  exit_code: number;
  stdout: string;
  stderr: string;
}

const EXPECTATIONS = ['exit_code', 'output', 'output_contains', 'error_contains'];

/** The checks, or a Problem `skills.invalid` where the file does not fit; none where there is no file. */
export function readChecks(skill: Pick<Skill, 'name' | 'contents'>): SkillCheck[] {
  const bytes = skill.contents.get('assets/checks.json');
  if (!bytes) return [];
  const refuse = (detail: string): Problem =>
    runtimeProblem('skills.invalid', `${skill.name}/assets/checks.json ${detail}`);
  let checks: unknown;
  try {
    checks = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw refuse(`is not JSON: ${(cause as Error).message}`);
  }
  if (!Array.isArray(checks)) throw refuse('is not a list of checks');
  checks.forEach((check: Partial<SkillCheck> | null, index) => {
    if (typeof check?.name !== 'string' || !('input' in check) || typeof check.expect !== 'object' || !check.expect)
      throw refuse(`/${index} must have name, input and expect`);
    const unknown = Object.keys(check.expect).find((key) => !EXPECTATIONS.includes(key));
    if (unknown !== undefined) throw refuse(`/${index}/expect/${unknown} is not one of ${EXPECTATIONS.join(', ')}`);
  });
  return checks as SkillCheck[];
}

/** What a finished run fails to show, a sentence each; empty when the check holds. */
export function unmet({ expect }: SkillCheck, run: Shown): string[] {
  const wrong: string[] = [];
  const exitCode = expect.exit_code ?? 0;
  if (run.exit_code !== exitCode) wrong.push(`exit code ${run.exit_code}, expected ${exitCode}: ${run.stderr.trim()}`);
  if (expect.error_contains !== undefined && !run.stderr.includes(expect.error_contains))
    wrong.push(`standard error lacks ${JSON.stringify(expect.error_contains)}: ${run.stderr.trim()}`);
  if (!('output' in expect) && !('output_contains' in expect)) return wrong;
  let output: unknown;
  try {
    output = JSON.parse(run.stdout);
  } catch {
    return [...wrong, `standard output is not JSON: ${run.stdout.slice(0, 200)}`];
  }
  if ('output' in expect && !isDeepStrictEqual(output, expect.output))
    wrong.push(`output is ${JSON.stringify(output)}, expected ${JSON.stringify(expect.output)}`);
  if ('output_contains' in expect && !contains(output, expect.output_contains))
    wrong.push(`output ${JSON.stringify(output)} lacks ${JSON.stringify(expect.output_contains)}`);
  return wrong;
}

/** Whether `part` is found in `whole`. */
export function contains(whole: unknown, part: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.includes(part);
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((element) => whole.some((candidate) => contains(candidate, element)));
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains((whole as Record<string, unknown>)[key], value),
  );
}

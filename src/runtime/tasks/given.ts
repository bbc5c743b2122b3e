import { pointerTo } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { NativeQuestion } from '#runtime/native/native-scripts.ts';
import { isSecretVariable, variableFault } from '#runtime/native/secret-variable.ts';
import type { RunGiven } from '#runtime/runs/capability.ts';

/** What a user gives a task beyond its input: values for scripts, and the permission to install their packages. */

interface Given {
  environment?: Readonly<Record<string, string>> | undefined;
  install?: boolean | undefined;
}

/** Null for nothing. @throws Problem `runs.input_invalid` for names that cannot be set, and for secrets. */
export function givenText({ environment = {}, install }: Given): string | null {
  const errors = Object.keys(environment).flatMap((name) => {
    const detail = faultOf(name);
    return detail === null ? [] : [{ pointer: `/environment${pointerTo(name.slice(0, 100))}`, detail }];
  });
  if (errors.length > 0)
    throw runtimeProblem('runs.input_invalid', 'A variable cannot be given with a run. See errors.', {
      reason: 'environment',
      errors,
    });
  if (install !== true && Object.keys(environment).length === 0) return null;
  return JSON.stringify({ environment, install: install === true });
}

/** Tasks are kept as they are, so they must not contain secrets. */
function faultOf(name: string): string | null {
  const fault = variableFault(name);
  if (fault !== null) return fault;
  return isSecretVariable(name)
    ? 'looks like a secret: store it for the skill, with PUT …/secrets, or connect to the server'
    : null;
}

export const givenOf = (text: string | null): RunGiven => (text === null ? {} : JSON.parse(text));

/**
 * The answer to a question, as any JSON that an `input` can be: `{"install":true,"environment":{…}}`, true or false, or "yes" or "no".
 *
 * @throws Problem `runs.input_invalid`.
 */
export function readAnswer(input: unknown, question: NativeQuestion): { declined: boolean; given: Given } {
  if (input === true || isWord(input, /^(?:y|yes|install|accept)$/i))
    return { declined: false, given: { install: true } };
  if (input === false || isWord(input, /^(?:n|no|decline|refuse)$/i)) return { declined: true, given: {} };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw notAnAnswer('');
  const { install, environment = {}, ...others } = input as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw notAnAnswer(pointerTo(unknown.slice(0, 100)));
  if (install !== undefined && typeof install !== 'boolean') throw notAnAnswer('/install');
  if (!isTexts(environment)) throw notAnAnswer('/environment');
  const wanted = question.packages.length > 0;
  // Values alone leave the packages unanswered: the task asks for those again.
  return { declined: wanted && install === false, given: { environment, install: install === true } };
}

const isWord = (input: unknown, form: RegExp): boolean => typeof input === 'string' && form.test(input.trim());

const MOST_VALUES = 50;
const MOST_VALUE_CHARS = 8_192;

function isTexts(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return (
    values.length <= MOST_VALUES &&
    values.every((text) => typeof text === 'string' && text.length <= MOST_VALUE_CHARS && !text.includes('\0'))
  );
}

const FORM = 'must be {"install":true}, with values of variables as {"environment":{"NAME":"value"}}';

const notAnAnswer = (pointer: string, detail = FORM) =>
  runtimeProblem('runs.input_invalid', 'The input does not answer what the task asks.', {
    reason: 'input_unfit',
    errors: [{ pointer: `/input${pointer}`, detail }],
  });

/**
 * The task's own, and what the answer adds. A task can ask many times, so the limit is for all answers together.
 *
 * @throws Problem `runs.input_invalid`.
 */
export function givenWith(before: string | null, { environment, install }: Given): string | null {
  const known = givenOf(before);
  const values = Object.assign({}, known.environment, environment);
  if (!isTexts(values)) throw notAnAnswer('/environment', `must leave the task with at most ${MOST_VALUES} values`);
  return givenText({
    environment: values,
    install: install === true || known.install === true,
  });
}

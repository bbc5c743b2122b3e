import { CapstanError } from '../../sdk/src/index.ts';

/** Parses form fields that take JSON. */

/** An invalid field is rejected with the same error as any other invalid input. */
export const unfit = (pointer: string, detail: string): CapstanError =>
  new CapstanError({
    kind: 'invalid_request',
    code: 'http.invalid',
    status: 400,
    detail: 'Invalid input.',
    errors: [{ pointer, detail }],
  });

export function jsonIn(text: string, pointer: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unfit(pointer, `must be valid JSON: ${(error as Error).message}`);
  }
}

/** The parsed JSON if the text is JSON, otherwise the text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import { CapstanError } from '../../sdk/src/index.ts';

/** What somebody writes into a field that takes JSON. */

/** Refused like any other input that does not fit, with the field named. */
export const unfit = (pointer: string, detail: string): CapstanError =>
  new CapstanError({
    kind: 'invalid_request',
    code: 'http.invalid',
    status: 400,
    detail: 'What was written does not fit.',
    errors: [{ pointer, detail }],
  });

export function jsonIn(text: string, pointer: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unfit(pointer, `has to be JSON: ${(error as Error).message}`);
  }
}

/** JSON where it is, else the text itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { Static, TObject } from 'typebox';
import { compileSchema } from '#core/http/validate.ts';
import type { Ask, Asking, AskMethod } from '#core/tools/asking.ts';

/**
 * Questions to a client. If the answer is not available yet, the call ends with `InputNeeded`. The client (or, in a
 * session of the older revisions, the library for it) gets the answers and starts the call again with them.
 */

export type Answers = Record<string, Record<string, unknown>>;

export class InputNeeded extends Error {
  readonly asks: Record<string, Ask>;
  /** Answers so far. */
  readonly answers: Answers;

  constructor(asks: Record<string, Ask>, answers: Answers) {
    super('Input from the client is required.');
    this.asks = asks;
    this.answers = Object.fromEntries(Object.entries(answers).filter(([name]) => !Object.hasOwn(asks, name)));
  }
}

export function createAsking(capabilities: Record<string, unknown>, answers: Answers): Asking {
  let forms = 0;
  const can: Asking['can'] = (method, mode) => isDeclared(capabilities, method, mode);
  const ask = async (asks: Record<string, Ask>): Promise<Answers> => {
    const open = Object.entries(asks).filter(([name]) => !Object.hasOwn(answers, name));
    if (open.length > 0) throw new InputNeeded(Object.fromEntries(open), answers);
    return Object.fromEntries(Object.keys(asks).map((name) => [name, answers[name] as Record<string, unknown>]));
  };
  const elicit = async <F extends TObject>(message: string, form: F): Promise<Static<F> | null> => {
    forms += 1;
    if (!can('elicitation/create')) return null;
    const name = `form_${forms}`;
    const asked = (text: string) => ({ [name]: formAsk(text, form) });
    const answer = (await ask(asked(message)))[name];
    if (answer?.action !== 'accept') return null;
    const wrong = compileSchema(form)(answer.content).map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`);
    if (wrong.length > 0) throw new InputNeeded(asked(`${message} (${wrong.join('; ')})`), answers);
    return answer.content as Static<F>;
  };
  return { can, ask, elicit, answered: () => Object.keys(answers) };
}

const formAsk = (message: string, form: TObject): Ask => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: JSON.parse(JSON.stringify(form)) },
});

const CAPABILITIES: Record<AskMethod, string> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

function isDeclared(capabilities: Record<string, unknown>, method: AskMethod, mode: 'url' | undefined): boolean {
  const declared = capabilities[CAPABILITIES[method]];
  if (typeof declared !== 'object' || declared === null) return false;
  if (mode === 'url') return 'url' in declared;
  // A client may support links only; `{}` was the declaration of forms before there were other modes.
  return method !== 'elicitation/create' || 'form' in declared || Object.keys(declared).length === 0;
}

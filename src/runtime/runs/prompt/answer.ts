import { nothing, type Outcome, type RunOrder } from '../capability.ts';
import { failed } from '../model-verdict.ts';

/** What a model said last as what came of the run. */
export function answered({ text }: { text: string }, { limits, on_output }: RunOrder): Outcome {
  const bytes = Buffer.from(text, 'utf8');
  if (text.trim() === '') return nothing(failed('model_no_answer', 'The model ended without an answer.'));
  if (bytes.length > limits.output_bytes)
    return nothing(failed('output_exceeded', `The answer of the model is over ${limits.output_bytes} bytes.`));
  // Only now: what the model said between its tool calls is no output.
  on_output?.('stdout', bytes);
  const completed = nothing({ status: 'completed', reason: null, error: null });
  return { ...completed, output: outputOf(text), stdout: text };
}

/** The answer of a model as output: JSON where the whole of it is JSON, fenced or not, else the text. */
export function outputOf(text: string): unknown {
  const [, fenced] = /^```(?:json)?[^\S\n]*\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return text;
  }
}

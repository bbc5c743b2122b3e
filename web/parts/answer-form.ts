import type { Task } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';

/** The form that answers a task which asks for input. */

export interface Answers {
  text: string;
  fault: string;
}

export const answerForm = ({ error, input }: Task, given: Answers | null): Html =>
  html`<section class="ask" aria-labelledby="ask"><h2 id="ask">Input required</h2>
${error !== null && html`<p dir="auto">${error.detail}</p>`}
<form method="post" class="fields-form"><input type="hidden" name="do" value="answer">
<div class="field-row"><label for="answer">Input as JSON</label>
<textarea id="answer" name="answer" rows="6" spellcheck="false" required${given !== null && html` aria-invalid="true" aria-describedby="answer-fault"`}>${given === null ? JSON.stringify(input, null, 2) : given.text}</textarea>
${given !== null && html`<p class="fault" id="answer-fault">${icon('circle-alert')}<span>${given.fault}</span></p>`}</div>
<p><button type="submit" class="button">Submit</button></p></form></section>`;

export function readAnswer(form: URLSearchParams): { input: unknown } | Answers {
  const text = form.get('answer') ?? '';
  try {
    return { input: JSON.parse(text) };
  } catch (error) {
    return { text, fault: `Invalid JSON: ${(error as Error).message}` };
  }
}

import { type Html, html } from '../server/html.ts';
import { type IconName, icon } from './icon.ts';

/** The steps of publishing, with the one that the reader is at. */

const STEPS: readonly [label: string, shape: IconName][] = [
  ['Files', 'folder'],
  ['Check', 'list-checks'],
  ['Describe', 'file-text'],
  ['Publish', 'upload'],
];

/** `at` counts from 0. */
export const stepsBar = (at: number): Html =>
  html`<ol class="wizard-steps" aria-label="Steps">${STEPS.map(
    ([label, shape], step) =>
      html`<li${step < at && html` class="done"`}${step === at && html` aria-current="step"`}>${icon(step < at ? 'circle-check' : shape)}<span>${label}${step < at && html`<span class="hidden">, done</span>`}</span></li>`,
  )}</ol>`;

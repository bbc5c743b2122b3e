import { type Html, html } from '../server/html.ts';
import { type IconName, icon } from './icon.ts';

/** A state as a shape and a word, never as a colour alone. */

type Look = 'good' | 'warn' | 'bad' | 'busy' | '';

export const stateMark = (look: Look, shape: IconName, words: Html | string): Html =>
  html`<span class="state ${look}">${icon(shape)}${words}</span>`;

/** Whether something can be run, from evidence. */
export interface RunState {
  name: 'runs' | 'key' | 'sign-in' | 'model' | 'install' | 'silent';
  words: string;
}

const SHAPES: Record<RunState['name'], readonly [look: Look, shape: IconName]> = {
  runs: ['good', 'circle-check'],
  key: ['warn', 'key-round'],
  'sign-in': ['warn', 'log-in'],
  model: ['warn', 'cpu'],
  install: ['', 'download'],
  silent: ['bad', 'circle-alert'],
};

export const runStateMark = ({ name, words }: RunState): Html => stateMark(...SHAPES[name], words);

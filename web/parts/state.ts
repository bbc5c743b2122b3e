import { type Html, html } from '../server/html.ts';
import { type IconName, icon } from './icon.ts';

/** A state as a shape and a word, never as a colour alone. */

export type Look = 'good' | 'warn' | 'bad' | 'busy' | '';

export const stateMark = (look: Look, shape: IconName, words: Html | string): Html =>
  html`<span class="state ${look}">${icon(shape)}${words}</span>`;

const PLAIN: Record<Look, IconName> = {
  good: 'circle-check',
  warn: 'triangle-alert',
  bad: 'circle-x',
  busy: 'loader-circle',
  '': 'circle-dashed',
};

/** A state whose words say all: its shape is the usual one for its colour. */
export const plainState = (look: Look, words: Html | string): Html => stateMark(look, PLAIN[look], words);

/** Whether something can be run, from evidence. */
export interface RunState {
  name: 'runs' | 'key' | 'sign-in' | 'model' | 'install' | 'silent';
  words: string;
}

const SHAPES: Record<RunState['name'], readonly [look: Exclude<Look, 'busy'>, shape: IconName]> = {
  runs: ['good', 'circle-check'],
  key: ['warn', 'key-round'],
  'sign-in': ['warn', 'log-in'],
  model: ['warn', 'cpu'],
  install: ['', 'download'],
  silent: ['bad', 'circle-alert'],
};

export const lookOf = ({ name }: RunState): Exclude<Look, 'busy'> => SHAPES[name][0];

/** Each with its usual words. */
export const RUN_STATES: readonly RunState[] = [
  { name: 'runs', words: 'Runs now' },
  { name: 'key', words: 'Needs a key' },
  { name: 'sign-in', words: 'Needs sign-in' },
  { name: 'model', words: 'Needs a model' },
  { name: 'install', words: 'Install only' },
  { name: 'silent', words: 'Not answering' },
];

export const runStateMark = ({ name, words }: RunState): Html => stateMark(...SHAPES[name], words);

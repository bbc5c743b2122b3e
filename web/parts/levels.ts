import { type Html, html } from '../server/html.ts';

/** Verification levels in words and as a row of marks. */

type Level = keyof typeof LEVELS;

const LEVELS = {
  listed: { words: 'Listed', means: 'Listed by a provider or publisher; not verified here.' },
  checked: { words: 'Checked', means: 'Passed the static checks.' },
  ran: {
    words: 'Ran here',
    means: 'This version ran successfully here: for this service, its operator or at least three independent accounts.',
  },
  reproduced: { words: 'Reproduced', means: 'Two runs on our own test inputs produced identical output.' },
  used: { words: 'Used by others', means: 'At least five independent accounts ran this version successfully here.' },
} as const;

const ORDER = Object.keys(LEVELS) as Level[];

const levelWords = (level: Level): string => LEVELS[level].words;
export const levelMeans = (level: Level): string => LEVELS[level].means;

/** Whether it has run here. */
export const isProved = (level: Level): boolean => ORDER.indexOf(level) >= ORDER.indexOf('ran');

/** The level as knots on a rope with its word. */
export const levelRope = (level: Level): Html =>
  html`<span class="level">${levelMarks(level)}${levelWords(level)}</span>`;

const STEP = 11;

/** Five knots on a rope, filled up to the level. */
const levelMarks = (level: Level): Html =>
  html`<svg class="marks" viewBox="0 0 ${ORDER.length * STEP - 3} 8" width="${ORDER.length * STEP - 3}" height="8" aria-hidden="true" focusable="false"><path d="M4 4h${(ORDER.length - 1) * STEP}"/>${ORDER.map(
    (_, at) => html`<circle cx="${at * STEP + 4}" cy="4" r="3.3"${at <= ORDER.indexOf(level) && html` class="on"`}/>`,
  )}</svg>`;

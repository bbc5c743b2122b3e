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

export const LEVELS_IN_ORDER = Object.keys(LEVELS) as Level[];

const levelWords = (level: Level): string => LEVELS[level].words;
export const levelMeans = (level: Level): string => LEVELS[level].means;

/** Whether it has run here. */
export const isProved = (level: Level): boolean => LEVELS_IN_ORDER.indexOf(level) >= LEVELS_IN_ORDER.indexOf('ran');

/** The level as knots on a rope with its word. */
export const levelRope = (level: Level): Html =>
  html`<span class="level">${levelMarks(level)}${levelWords(level)}</span>`;

const STEP = 12.5;

/** Five knots on a rope, filled up to the level. */
const levelMarks = (level: Level): Html =>
  html`<svg class="marks" viewBox="0 0 62 12" width="50" height="10" aria-hidden="true" focusable="false"><path d="M2 6h58"/>${LEVELS_IN_ORDER.map(
    (_, at) =>
      html`<circle cx="${6 + at * STEP}" cy="6" r="4"${at <= LEVELS_IN_ORDER.indexOf(level) && html` class="on"`}/>`,
  )}</svg>`;

import { stemmer } from '/tmp/search/node_modules/stemmer/index.js';

const STEMMED = /^[a-z]{4,}$/;

/** What the forms of an English word have in common; other terms are their own. */
export const stemOf = (term: string): string => (STEMMED.test(term) ? stemmer(term) : term);

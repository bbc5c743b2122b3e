/** Words that say nothing about what is searched. A search ignores them if its text has others. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are can could do does for from have how i in is it me my need of on or please some that the to use using via ' +
    'want what where which with you'
  ).split(' '),
);

/** Those that the marketplace's search ignores: whole sentences are asked there. */
export const SENTENCE_STOP_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...(
    'as be by get help if into lets like over should so someone something their them then this up we when who will would ' +
    'your able before after across find give look make tool tools capability'
  ).split(' '),
]);

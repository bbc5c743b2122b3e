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

/** Words that say little beside others: what is good, which way, how many. They count less in a sentence. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(
  (
    'again all also always another any anything around ask automatically away back best better big both bring come during each easier easily ' +
    'easy effective efficient efficiently else ever every everything existing few first full fully go going good great handle here high hour ' +
    'hours just keep kind kinds know last latest less let list live long lot made many maybe more most much must need needs new nice nicely ' +
    'next no not now off old once one only other our out own part people per person possible proper properly pull put quick quickly really ' +
    'recent right same say see set several show simple small sort start still stuff such sure take tell than them these they thing things ' +
    'those through too try turn two until up upon used user various very want was way ways week well were without work working works year years'
  ).split(' '),
);

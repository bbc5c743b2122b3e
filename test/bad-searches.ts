/** Texts that nobody means to search for, by what they are. */
export const BAD_SEARCHES: Record<string, string> = {
  nothing: '',
  'white space': ' \t\n\u3000',
  '10 KB of text': 'tide tables of any harbour '.repeat(400),
  'only signs': '!?#%&/\\()[]{}<>|~^°§$€@*+=.,;:-_',
  'mixed scripts': 'tide 潮汐 прилив ชายฝั่ง مد و جزر ტალღა 潮見表 조수',
  'a regex': '^(a+)+$|(?<!x)[\\p{L}]*?\\1',
  quotes: `"'\`“”«»'' OR 1=1; DROP TABLE listings; -- %_`,
  'a lone surrogate': 'tide \ud800 table',
  '10,000 distinct words': Array.from({ length: 10_000 }, (_, at) => `w${at.toString(36)}`).join(' '),
  'as many words as fit': Array.from({ length: 100 }, (_, at) => at.toString(36).padStart(3, 'x')).join(' '),
  'a word of 390 letters': 'x'.repeat(390),
  'invisible characters': 'ti\u200bde ta\u00adbles\u200d of\ufeff',
  NUL: 'tide\u0000table',
  'markup and controls': '<script>alert(1)</script>\u202e\u0007\u001b[31m',
  'accents without letters': `a${'\u0301'.repeat(300)}`,
  'a prototype': '__proto__ constructor hasOwnProperty',
};

/** Hostile texts that make scans slow: each is repeated to the requested size. */
export const HOSTILE: Record<string, string> = {
  letters: 'a',
  words: 'a ',
  backticks: '`',
  images: '![a',
  links: '[a](',
  brackets: '(((',
  emphasis: '*a_',
  quotes: '> ',
  tags: '<a ',
  comments: '<!--',
  curl: 'curl ',
  tokens: '-eyJ',
  dots: 'eyJa.',
  lines: '\n',
  rows: 'a: b\n',
  dashes: '---\n',
  percents: '%25',
  addresses: 'https://a.b/',
  hidden: '\u202e',
  joined: 'e\u0301',
  escapes: '\\"',
};

export const filled = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/**
 * Marks comments, strings, numbers and keywords of code as `<span class="c|s|n|k">`, for any of the languages in fenced blocks. Pure and
 * linear: each character is read once, and a token never continues on the next line, so that lines can be split afterwards.
 */

const HASH = new Set([
  'py',
  'python',
  'sh',
  'bash',
  'shell',
  'zsh',
  'console',
  'rb',
  'ruby',
  'yaml',
  'yml',
  'toml',
  'dockerfile',
  'ps1',
]);
const SLASH = new Set([
  'js',
  'mjs',
  'cjs',
  'jsx',
  'javascript',
  'ts',
  'tsx',
  'typescript',
  'json5',
  'jsonc',
  'go',
  'rs',
  'rust',
  'java',
  'c',
  'cpp',
  'cs',
  'php',
  'swift',
  'kotlin',
]);
const PLAIN = new Set(['json', 'sql', 'ini', 'html', 'xml']);

const KEYWORDS = new Set(
  (
    'and as async await break case catch class const continue def default del do elif else except export extends false False finally fn for ' +
    'from func function if impl import in interface is lambda let match mod mut new nil none None not null of or package pass pub raise ' +
    'return self static struct super switch then this throw true True try type typeof undefined use var void while with yield ' +
    'SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE JOIN echo export fi done'
  ).split(' '),
);

/** Longer code is shown without colours. */
const MOST_CHARACTERS = 60_000;

/** One token of a line: a comment of either kind, a string that may be unterminated, a word or a number, or anything else. */
const TOKEN =
  /(?<hash>#.*)|(?<slash>\/\/.*)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?<word>[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*)|[^#/"'A-Za-z_$\d\n]+|[/\n]/g;

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPED[char] ?? char);

/** Safe HTML, or null if the language is unknown. */
export function highlighted(code: string, language: string): string | null {
  const name = language.toLowerCase();
  const [isHash, isSlash] = [HASH.has(name), SLASH.has(name)];
  if ((!isHash && !isSlash && !PLAIN.has(name)) || code.length > MOST_CHARACTERS) return null;
  return code.replace(TOKEN, (token, ...rest) => {
    const { hash, slash, text, word, number } = rest.at(-1) as Record<string, string | undefined>;
    if (hash !== undefined) return isHash ? marked('c', token) : escaped(token);
    if (slash !== undefined) return isSlash ? marked('c', token) : escaped(token);
    if (text !== undefined) return marked('s', token);
    if (word !== undefined) return KEYWORDS.has(token) ? marked('k', token) : token;
    return number === undefined ? escaped(token) : marked('n', token);
  });
}

const marked = (kind: string, text: string): string => `<span class="${kind}">${escaped(text)}</span>`;

import { placesIn } from '#core/text/lines.ts';
import { openReport, type Violation, warning } from './violation.ts';

/**
 * Signs of harm in a text: secrets, dangerous commands, text that steers a model, characters that nobody sees. All are
 * warnings with their place, since an example or a guide may show them on purpose. Patterns look ahead a bounded way
 * only. One whose beginning is frequent in some texts, and its end is not, starts at the end: what stands before it is
 * then read once, as the group `from`. Pure.
 */

export const TEXT_RULES = {
  secret: warning('Take it out and revoke it; name an environment variable instead.'),
  'dangerous-command': warning('Leave it out, or say in words what the user should do and why.'),
  'credential-file': warning('Take what is needed as an input instead of reading it from there.'),
  'prompt-injection': warning('Say what the task is; leave out what would override the rules of whoever reads it.'),
  'hidden-character': warning('Remove the character, so that readers see what machines read.'),
  'hidden-comment': warning('Remove it, or write it as text: a rendered page does not show it, a model reads it.'),
};

type TextRule = keyof typeof TEXT_RULES;
type Sign = readonly [rule: TextRule, pattern: RegExp, detail: string];

const SECRETS: readonly Sign[] = (
  [
    [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g, 'A private key'],
    [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, 'An AWS access key'],
    [/\bgh[opsur]_[A-Za-z0-9]{30,255}|\bgithub_pat_\w{30,255}/g, 'A GitHub token'],
    [/\bglpat-[\w-]{16,255}/g, 'A GitLab token'],
    [/\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g, 'A Slack token'],
    [/\bAIza[\w-]{35}/g, 'A Google API key'],
    [/\b[rs]k_live_[A-Za-z0-9]{16,255}/g, 'A Stripe key'],
    [/\bnpm_[A-Za-z0-9]{36}\b/g, 'An npm token'],
    [/\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,255}/g, "A model provider's API key"],
    [/(?<=(?<from>\beyJ[A-Za-z0-9_-]{8,400}))\.eyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8}/g, 'A signed token (JWT)'],
    [/\bcap_[A-Za-z0-9]{38}\b/g, 'An API key'],
    [/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{1,64}:[^\s/@$<{]{4,128}@/gi, 'A password in an address'],
  ] as const
).map(([pattern, what]) => ['secret', pattern, `${what} seems to stand here (not shown).`]);

const SHELL = '(?:sudo\\s{1,4})?(?:ba|z|da|k)?sh\\b';
const COMMANDS: readonly Sign[] = (
  [
    [
      new RegExp(`\\|(?<=(?<from>\\b(?:curl|wget)\\b[^\\n|]{0,300})\\|)\\s{0,4}(?:${SHELL}|python3?\\b|node\\b)`, 'g'),
      'What is fetched from the network is run unseen.',
    ],
    [
      /\b(?:bash|sh|eval|source)\b\s{1,4}(?:-c\s{1,4})?["']?(?:<|\$)\(\s{0,4}(?:curl|wget)\b/g,
      'What is fetched from the network is run unseen.',
    ],
    [
      /\b(?:iex|Invoke-Expression)\b[^\n]{0,80}\b(?:iwr|irm|Invoke-WebRequest|DownloadString)\b/gi,
      'What is fetched from the network is run unseen.',
    ],
    [
      new RegExp(`\\|(?<=(?<from>\\bbase64\\s{1,4}(?:-d|-D|--decode)\\b[^\\n|]{0,200})\\|)\\s{0,4}${SHELL}`, 'g'),
      'A hidden command is decoded and run.',
    ],
    [
      /\brm\s{1,4}(?:-{1,2}[\w-]{1,24}\s{1,4}){1,4}["']?(?:\/(?=[\s*"']|$)|~|\$HOME\b|\$\{HOME\})/gm,
      'Everything below the root or home directory is removed.',
    ],
    [
      /\bmkfs(?:\.\w{1,8})?\s|\bdd\s[^\n]{0,120}\bof=\/dev\/|>\s{0,4}\/dev\/(?:sd|nvme|disk)/g,
      'A disk is overwritten.',
    ],
    [/:\s?\(\s?\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;/g, 'A fork bomb.'],
    [/\bchmod\s{1,4}(?:-R\s{1,4})?0?777\s{1,4}\//g, 'Everybody may write to system files.'],
  ] as const
).map(([pattern, what]) => ['dangerous-command', pattern, what]);

const FILES: readonly Sign[] = [
  [
    'credential-file',
    /~\/\.(?:ssh\/|aws\/credentials|netrc|npmrc|docker\/config)|\/etc\/shadow\b|\.ssh\/id_(?:rsa|ed25519)\b/g,
    'A file with credentials of the machine is named.',
  ],
];

const WORDS = '(?:[\\w-]{1,16}\\s{1,4}){0,3}';
const STEERING: readonly Sign[] = (
  [
    [
      new RegExp(
        `\\b(?:ignore|disregard|forget|override|bypass)\\s{1,4}${WORDS}(?:previous|prior|above|earlier|preceding|system|existing|other)\\s{1,4}${WORDS}(?:instruction|rule|prompt|guideline|direction|message|polic)`,
        'gi',
      ),
      'It asks a model to pass over its other instructions.',
    ],
    [
      /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|system-reminder|tool_result)>/gi,
      'It imitates the marks between the turns of a conversation.',
    ],
    [
      new RegExp(
        `\\b(?:do not|don't|never|without)\\s{1,4}${WORDS}(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting)\\s{1,4}${WORDS}user\\b`,
        'gi',
      ),
      'It asks a model to keep something from its user.',
    ],
    [
      new RegExp(`\\b(?:reveal|print|repeat|output|show)\\s{1,4}${WORDS}system\\s{1,4}prompt`, 'gi'),
      'It asks a model for its system prompt.',
    ],
    [
      new RegExp(
        `\\b(?:send|post|upload|exfiltrate|forward)\\s{1,4}${WORDS}(?:environment variables|api keys?|credentials|secrets|tokens|passwords|private keys?|cookies)\\b[^\\n]{0,80}https?:`,
        'gi',
      ),
      'It asks to send secrets away.',
    ],
  ] as const
).map(([pattern, what]) => ['prompt-injection', pattern, what]);

const SIGNS: readonly Sign[] = [...SECRETS, ...COMMANDS, ...FILES, ...STEERING];

/** Bidirectional controls, zero-width and other invisible characters, tags, controls; line ends and tabs are none. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u{FFF9}-\u{FFFB}]/gu;
const IN_EMOJI = /^(?:\u{200D}\p{Extended_Pictographic}|\u{FE0F})/u;
const BEFORE_EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|[0-9#*])$/u;
/** Enough to tell; each further one costs time only. */
const MOST_OF_A_KIND = 200;

/** `first_line` is the number of the text's first line in its file; `markdown` looks for comments that are not shown. */
export function textViolations(path: string, text: string, { first_line = 1, markdown = false } = {}): Violation[] {
  const report = openReport(TEXT_RULES);
  const placeAt = placesIn(text, first_line);
  for (const [rule, pattern, detail] of SIGNS) {
    let count = 0;
    for (const { index, groups } of text.matchAll(pattern)) {
      report.add(rule, path, detail, placeAt(index - (groups?.from?.length ?? 0)));
      if (++count === MOST_OF_A_KIND) break;
    }
  }
  let count = 0;
  for (const { 0: char, index } of text.matchAll(HIDDEN)) {
    if (isShown(char, text, index)) continue;
    const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    report.add('hidden-character', path, `There is a character that is not shown, U+${code}.`, placeAt(index));
    if (++count === MOST_OF_A_KIND) break;
  }
  const comment = markdown ? text.indexOf('<!--') : -1;
  if (comment >= 0)
    report.add('hidden-comment', path, 'There is a comment that a rendered page does not show.', placeAt(comment));
  return report.violations();
}

function isShown(char: string, text: string, index: number): boolean {
  if (char === '\n' || char === '\t' || (char === '\r' && text[index + 1] === '\n')) return true;
  // Joiners and selectors of emoji.
  return IN_EMOJI.test(text.slice(index, index + 4)) && BEFORE_EMOJI.test(text.slice(Math.max(0, index - 2), index));
}

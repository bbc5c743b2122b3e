import { placesIn } from '#core/text/lines.ts';
import { openReport, type Violation, warning } from './violation.ts';

/**
 * Signs of possible harm in a text: secrets, dangerous commands, prompt injection, hidden characters. All are warnings with a
 * place, because examples and guides may show them on purpose. Patterns have bounded lookahead. A pattern with a frequent
 * beginning and a rare end matches from its end and reads the beginning once, as the group `from`. Pure.
 */

export const TEXT_RULES = {
  secret: warning('Remove it and revoke it. Name an environment variable instead.'),
  'dangerous-command': warning('Remove it, or explain in words what the user should do and why.'),
  'credential-file': warning('Take what you need as an input instead of reading this file.'),
  'prompt-injection': warning("Describe the task without overriding the reader's instructions."),
  'hidden-character': warning('Remove the character, so that people see what models read.'),
  'hidden-comment': warning('Remove it, or write it as text. A rendered page hides it, but models read it.'),
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
).map(([pattern, what]) => ['secret', pattern, `${what} appears to be included (not shown).`]);

const SHELL = '(?:sudo\\s{1,4})?(?:ba|z|da|k)?sh\\b';
const COMMANDS: readonly Sign[] = (
  [
    [
      new RegExp(`\\|(?<=(?<from>\\b(?:curl|wget)\\b[^\\n|]{0,300})\\|)\\s{0,4}(?:${SHELL}|python3?\\b|node\\b)`, 'g'),
      'Runs code from the network without review.',
    ],
    [
      /\b(?:bash|sh|eval|source)\b\s{1,4}(?:-c\s{1,4})?["']?(?:<|\$)\(\s{0,4}(?:curl|wget)\b/g,
      'Runs code from the network without review.',
    ],
    [
      /\b(?:iex|Invoke-Expression)\b[^\n]{0,80}\b(?:iwr|irm|Invoke-WebRequest|DownloadString)\b/gi,
      'Runs code from the network without review.',
    ],
    [
      new RegExp(`\\|(?<=(?<from>\\bbase64\\s{1,4}(?:-d|-D|--decode)\\b[^\\n|]{0,200})\\|)\\s{0,4}${SHELL}`, 'g'),
      'Decodes a hidden command and runs it.',
    ],
    [
      /\brm\s{1,4}(?:-{1,2}[\w-]{1,24}\s{1,4}){1,4}["']?(?:\/(?=[\s*"']|$)|~|\$HOME\b|\$\{HOME\})/gm,
      'Deletes everything under the root or home directory.',
    ],
    [/\bmkfs(?:\.\w{1,8})?\s|\bdd\s[^\n]{0,120}\bof=\/dev\/|>\s{0,4}\/dev\/(?:sd|nvme|disk)/g, 'Overwrites a disk.'],
    [/:\s?\(\s?\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;/g, 'Is a fork bomb.'],
    [/\bchmod\s{1,4}(?:-R\s{1,4})?0?777\s{1,4}\//g, 'Makes system files writable for everyone.'],
  ] as const
).map(([pattern, what]) => ['dangerous-command', pattern, what]);

const FILES: readonly Sign[] = [
  [
    'credential-file',
    /~\/\.(?:ssh\/|aws\/credentials|netrc|npmrc|docker\/config)|\/etc\/shadow\b|\.ssh\/id_(?:rsa|ed25519)\b/g,
    'Names a file that holds credentials.',
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
      'Tells a model to ignore its other instructions.',
    ],
    [
      /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|system-reminder|tool_result)>/gi,
      'Imitates the markers between turns of a conversation.',
    ],
    [
      new RegExp(
        `\\b(?:do not|don't|never|without)\\s{1,4}${WORDS}(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting)\\s{1,4}${WORDS}user\\b`,
        'gi',
      ),
      'Tells a model to hide something from its user.',
    ],
    [
      new RegExp(`\\b(?:reveal|print|repeat|output|show)\\s{1,4}${WORDS}system\\s{1,4}prompt`, 'gi'),
      'Asks a model for its system prompt.',
    ],
    [
      new RegExp(
        `\\b(?:send|post|upload|exfiltrate|forward)\\s{1,4}${WORDS}(?:environment variables|api keys?|credentials|secrets|tokens|passwords|private keys?|cookies)\\b[^\\n]{0,80}https?:`,
        'gi',
      ),
      'Asks a model to send secrets away.',
    ],
  ] as const
).map(([pattern, what]) => ['prompt-injection', pattern, what]);

const SIGNS: readonly Sign[] = [...SECRETS, ...COMMANDS, ...FILES, ...STEERING];

/** Bidirectional controls, zero-width and other invisible characters, tags and controls. `isShown` excludes line ends and tabs. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u{FFF9}-\u{FFFB}]/gu;
const IN_EMOJI = /^(?:\u{200D}\p{Extended_Pictographic}|\u{FE0F})/u;
const BEFORE_EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|[0-9#*])$/u;
/** More matches of one kind add nothing. */
const MOST_OF_A_KIND = 200;

/** `first_line` is the number of the text's first line in its file; `markdown` also reports HTML comments. */
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
    report.add('hidden-character', path, `Contains the invisible character U+${code}.`, placeAt(index));
    if (++count === MOST_OF_A_KIND) break;
  }
  const comment = markdown ? text.indexOf('<!--') : -1;
  if (comment >= 0)
    report.add('hidden-comment', path, 'Contains a comment that a rendered page hides.', placeAt(comment));
  return report.violations();
}

function isShown(char: string, text: string, index: number): boolean {
  if (char === '\n' || char === '\t' || (char === '\r' && text[index + 1] === '\n')) return true;
  // Joiners and variation selectors in emoji.
  return IN_EMOJI.test(text.slice(index, index + 4)) && BEFORE_EMOJI.test(text.slice(Math.max(0, index - 2), index));
}

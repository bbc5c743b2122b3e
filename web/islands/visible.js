/** Zero-width, bidirectional and control characters become `⟨U+200B⟩`, as the server shows them. */

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u{FFF9}-\u{FFFB}]/gu;
/** Joiners and emoji selectors are kept only where they form an emoji. */
const IN_EMOJI =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F})\u{200D}(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}0-9#*])\u{FE0F}/uy;

/** @param {string} text */
export const visible = (text) =>
  text.toWellFormed().replace(HIDDEN, (char, at) => {
    if (char >= '\t' && char <= '\r') return char;
    IN_EMOJI.lastIndex = at;
    if ((char === '\u{200D}' || char === '\u{FE0F}') && IN_EMOJI.test(text)) return char;
    return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });

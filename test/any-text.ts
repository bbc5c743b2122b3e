import fc from 'fast-check';

/**
 * Any text that UTF-8 can carry, for `fast-check`. Its own unit `binary` makes the same but prepares a table of all code points first,
 * which costs each process most of a second.
 */

const SURROGATES = { first: 0xd800, count: 0x800 };

const anyCodePoint = fc
  .nat(0x10_ff_ff - SURROGATES.count)
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count));

/** A quarter is ASCII, controls included: what parsers treat specially is there. */
const anyCharacter = fc.oneof(
  { weight: 3, arbitrary: anyCodePoint },
  { weight: 1, arbitrary: fc.nat(0x7f).map((number) => String.fromCharCode(number)) },
);

export const anyText = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: anyCharacter });

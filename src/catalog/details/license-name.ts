/** Recognizes common licenses by their first lines, so that listings without one have its SPDX id. Pure. */

const START_CHARS = 1_500;

const KNOWN: readonly (readonly [string, RegExp])[] = [
  ['AGPL-3.0', /GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['LGPL-3.0', /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['GPL-3.0', /GNU GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['GPL-2.0', /GNU GENERAL PUBLIC LICENSE\s+Version 2/i],
  ['Apache-2.0', /Apache License\s+Version 2\.0/i],
  ['MPL-2.0', /Mozilla Public License,? Version 2\.0/i],
  ['CC0-1.0', /CC0 1\.0 Universal/i],
  ['Unlicense', /This is free and unencumbered software released into the public domain/i],
  [
    'ISC',
    /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose with or without fee/i,
  ],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/i],
  ['BSD-3-Clause', /BSD 3-Clause License|Neither the name of/i],
  ['BSD-2-Clause', /BSD 2-Clause License/i],
];

/** '' if it is none of these. */
export function licenseName(text: string): string {
  const start = text.slice(0, START_CHARS).replace(/\s+/g, ' ');
  return KNOWN.find(([, form]) => form.test(start))?.[0] ?? '';
}

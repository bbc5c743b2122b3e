import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The contrast of colours as WCAG defines it, in both themes. */

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const COLOURS = new Map(
  [...css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

type Theme = 'light' | 'dark';

function luminance(name: string, theme: Theme): number {
  const colour = COLOURS.get(name)?.[theme];
  assert.ok(colour !== undefined, `no colour --${name}`);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [dark = 0, light = 0] = [luminance(one, theme), luminance(other, theme)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = 4.5;
const CONTROL = 3;
const MEANINGS = ['buoy', 'good', 'warn', 'bad', 'accent'];

const PAIRS: readonly [front: string, ground: string, least: number][] = [
  ...['page', 'surface', 'raised', 'sunken', 'hover'].flatMap((ground) =>
    ['text', 'text-2', 'text-3', 'accent', 'accent-strong', ...MEANINGS].map((front): [string, string, number] => [
      front,
      ground,
      TEXT,
    ]),
  ),
  ...MEANINGS.flatMap((meaning): [string, string, number][] => [
    [meaning, `${meaning}-soft`, TEXT],
    ['text', `${meaning}-soft`, TEXT],
    ['text-2', `${meaning}-soft`, TEXT],
    ['text-3', `${meaning}-soft`, TEXT],
  ]),
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-strong', TEXT],
  ['text', 'found', TEXT],
  ['edge', 'surface', CONTROL],
  ['edge', 'page', CONTROL],
];

for (const theme of ['light', 'dark'] as const)
  test(`colours have enough contrast in the ${theme} theme`, () => {
    const low = PAIRS.map(([front, ground, least]) => ({ front, ground, least, is: contrast(front, ground, theme) }))
      .filter(({ is, least }) => is < least)
      .map(({ front, ground, is }) => `--${front} on --${ground}: ${is.toFixed(2)}`);
    assert.deepEqual(low, []);
  });

import { createHash } from 'node:crypto';
import { flagNumber, flagParts } from '../parts/flag.ts';
import { blend, type Canvas, type Colour, colourOf, fillRound, openCanvas, type Text, write } from './canvas.ts';
import { lineOf, openLetters, wrapped, writable } from './letters.ts';
import { markPixels } from './mark.ts';
import { coverage, placed, polygonsOf } from './outline.ts';
import { encodeDrawing } from './png.ts';

/** The picture of a listing where its page is linked: its flag, name, sentence, publisher and state. */

type Look = 'good' | 'warn' | 'bad' | '';

export interface CardFacts {
  /** Its flag is drawn from it. */
  id: string;
  name: string;
  sentence: string;
  /** `Server`. */
  kind: string;
  publisher: string;
  is_confirmed: boolean;
  state: { look: Look; words: string } | null;
  /** Of the service. */
  site: string;
}

export const CARD = { width: 1_200, height: 630 } as const;

const INK = {
  page: colourOf('#f6f8f7'),
  line: colourOf('#dfe6e5'),
  text: colourOf('#12212a'),
  second: colourOf('#44545e'),
  third: colourOf('#5c6c75'),
  accent: colourOf('#0b5461'),
};
const LOOKS: Record<Look, Colour> = {
  good: colourOf('#17693f'),
  warn: colourOf('#7f5300'),
  bad: colourOf('#ad2118'),
  '': INK.second,
};

const EDGE = 80;
const FLAG = 160;
const NAME = { x: EDGE + FLAG + 40, width: CARD.width - 2 * EDGE - FLAG - 40 };

/** The most recent pictures, by the digest of what they show. A picture has about 60 KB. */
const MOST_CARDS = 100;
const made = new Map<string, Promise<Buffer>>();

/** One that is being made is shared by all who ask for it. `turn` waits until no other page is being made. */
export function cardOf(facts: CardFacts, turn: () => Promise<void>): Promise<Buffer> {
  const key = cardDigest(facts);
  const known = made.get(key);
  const card = known ?? drawn(facts, turn);
  made.delete(key);
  made.set(key, card);
  const [oldest] = made.keys();
  if (made.size > MOST_CARDS && oldest !== undefined) made.delete(oldest);
  if (known === undefined) card.catch(() => made.delete(key));
  return card;
}

export const cardDigest = (facts: CardFacts): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16);

async function drawn(facts: CardFacts, turn: () => Promise<void>): Promise<Buffer> {
  await turn();
  openLetters();
  await turn();
  return encodeDrawing(draw(facts));
}

function draw(facts: CardFacts): Canvas {
  const canvas = openCanvas(CARD.width, CARD.height, INK.page);
  const name = writable(facts.name) ?? writable(facts.id) ?? facts.kind;
  drawFlag(canvas, facts.id);
  drawName(canvas, name, facts.kind);
  const sentence = { size: 34, weight: 400, width: CARD.width - 2 * EDGE, lines: 3 } as const;
  lines(
    canvas,
    wrapped(writable(facts.sentence) ?? '', sentence),
    { ...sentence, x: EDGE, y: 336, colour: INK.second },
    48,
  );
  for (let x = EDGE; x < CARD.width - EDGE; x++)
    for (let y = 498; y < 500; y++) canvas.rgb.set(INK.line, (y * CARD.width + x) * 3);
  drawFoot(canvas, facts);
  return canvas;
}

function drawFlag(canvas: Canvas, id: string): void {
  const { ground, figure, pattern, turn } = flagParts(flagNumber(id));
  const covered = coverage(placed(polygonsOf(pattern), { side: 40, to: FLAG, turn }), FLAG);
  const [below, above] = [colourOf(ground), colourOf(figure)];
  const place = { x: EDGE, y: 88, side: FLAG, radius: FLAG * 0.22 };
  fillRound(canvas, place, (x, y) => mixed(below, above, covered[y * FLAG + x] as number));
}

const mixed = (below: Colour, above: Colour, share: number): Colour => [
  below[0] + (above[0] - below[0]) * share,
  below[1] + (above[1] - below[1]) * share,
  below[2] + (above[2] - below[2]) * share,
];

/** Large on one line, or smaller on two. */
function drawName(canvas: Canvas, name: string, kind: string): void {
  const isShort = lineOf(name, 72, 650).width <= NAME.width;
  const box = { size: isShort ? 72 : 52, weight: 650, width: NAME.width, lines: isShort ? 1 : 2 } as const;
  const shown = wrapped(name, box);
  const y = shown.length === 1 ? 168 : 140;
  lines(canvas, shown, { ...box, x: NAME.x, y, colour: INK.text }, 60);
  write(canvas, { text: kind, x: NAME.x, y: y + 60 * shown.length - 6, size: 30, weight: 400, colour: INK.third });
}

function lines(canvas: Canvas, texts: readonly string[], at: Omit<Text, 'text'>, height: number): void {
  for (const [number, text] of texts.entries()) write(canvas, { ...at, text, y: at.y + number * height });
}

function drawFoot(canvas: Canvas, { publisher, is_confirmed, state, site }: CardFacts): void {
  const y = 568;
  const end = drawSite(canvas, site, y);
  let x = EDGE;
  if (state !== null) {
    const colour = LOOKS[state.look];
    drawState(canvas, x + 14, y - 11, state.look, colour);
    x = write(canvas, { text: state.words, x: x + 40, y, size: 30, weight: 650, colour }) + 36;
  }
  const by = writable(publisher);
  if (by === null) return;
  const width = end - x - 40;
  if (width < 160) return;
  const [line = ''] = wrapped(`by ${by}${is_confirmed ? ' (confirmed)' : ''}`, {
    size: 30,
    weight: 400,
    width,
    lines: 1,
  });
  write(canvas, { text: line, x, y, size: 30, weight: 400, colour: INK.third });
}

/** The logo with the name of the service at the right. Answers where they begin. */
function drawSite(canvas: Canvas, site: string, y: number): number {
  const side = 48;
  const text = writable(site) ?? '';
  const x = Math.round(CARD.width - EDGE - lineOf(text, 34, 650).width);
  const left = x - side - 16;
  const { rgb } = markPixels(side);
  const at = (column: number, row: number): Colour => {
    const from = (row * side + column) * 3;
    return [rgb[from] as number, rgb[from + 1] as number, rgb[from + 2] as number];
  };
  fillRound(canvas, { x: left, y: y - 36, side, radius: side * 0.22 }, at);
  write(canvas, { text, x, y, size: 34, weight: 650, colour: INK.accent });
  return left;
}

const SIGNS = { warn: '!', bad: '×', '': '·' };

/** A shape beside the word: a check, a bar, a cross or a dot in a ring. */
function drawState(canvas: Canvas, x: number, y: number, look: Look, colour: Colour): void {
  const R = 14;
  fillRound(canvas, { x: x - R, y: y - R, side: 2 * R, radius: R }, () => colour);
  fillRound(canvas, { x: x - R + 3, y: y - R + 3, side: 2 * R - 6, radius: R - 3 }, () => INK.page);
  if (look === 'good') {
    drawCheck(canvas, x, y, colour);
    return;
  }
  const text = SIGNS[look];
  const { width } = lineOf(text, 24, 650);
  write(canvas, { text, x: x - width / 2, y: y + 8, size: 24, weight: 650, colour });
}

const CHECK_SIDE = 16;
const CHECK = coverage(
  polygonsOf('M1.500 8.200L3.700 6L6.600 8.900L12.400 3.100L14.600 5.300L6.600 13.300Z'),
  CHECK_SIDE,
);

function drawCheck(canvas: Canvas, x: number, y: number, colour: Colour): void {
  const half = CHECK_SIDE / 2;
  for (let row = 0; row < CHECK_SIDE; row++)
    for (let column = 0; column < CHECK_SIDE; column++)
      blend(canvas, x - half + column, y - half + row, colour, CHECK[row * CHECK_SIDE + column] as number);
}

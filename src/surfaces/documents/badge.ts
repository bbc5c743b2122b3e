import { oneLine, shortened } from '#surfaces/interop/shown-text.ts';
import { xml } from '#surfaces/interop/xml.ts';

/** A badge as SVG or as data: two texts on two colours. The text is untrusted, the colours are fixed. */

export const METRICS = ['verification', 'downloads', 'stars', 'version'] as const;
export type Metric = (typeof METRICS)[number];

const COLOURS: Record<Metric, string> = {
  verification: '#57606a',
  downloads: '#1a6f37',
  stars: '#9a6700',
  version: '#0b57a4',
};

const MOST = 40;
const HEIGHT = 20;

const labelOf = (metric: Metric): string => (metric === 'verification' ? 'capstan' : metric);
const shownOf = (value: string): string => shortened(oneLine(value), MOST) || 'unknown';

/** The text of a badge in the format that Shields draws: https://shields.io/badges/endpoint-badge */
export const shieldsBadge = (metric: Metric, value: string) => ({
  schemaVersion: 1 as const,
  label: labelOf(metric),
  message: shownOf(value),
  color: COLOURS[metric].slice(1),
});

export function badge(metric: Metric, value: string): string {
  const [label, shown] = [labelOf(metric), shownOf(value)];
  const [left, right] = [widthOf(label), widthOf(shown)];
  const text = (label: string, x: number) => xml`<text x="${x}" y="14" text-anchor="middle">${label}</text>`;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}: ${shown}">
<title>${label}: ${shown}</title>
<rect width="${left}" height="${HEIGHT}" fill="#24292f"/>
<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${COLOURS[metric]}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${text(label, left / 2)}
${text(shown, left + right / 2)}
</g>
</svg>
`.html;
}

/** An estimate, because the reader's font is unknown; characters beyond Latin are wide. */
const widthOf = (text: string): number =>
  Math.round(Array.from(text).reduce((sum, value) => sum + ((value.codePointAt(0) as number) > 0x24f ? 12 : 6.7), 12));

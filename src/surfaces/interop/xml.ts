import type { Html } from '#core/http/html.ts';
import { html } from '#core/http/html.ts';

/** XML that escapes every value and contains only valid XML characters. */

export type Xml = Html;

const FOREIGN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const known = (text: string): string => text.toWellFormed().replace(FOREIGN, '');

type Value = string | number | Xml | readonly Xml[] | null;

export const xml = (parts: TemplateStringsArray, ...values: Value[]): Xml =>
  html(parts, ...values.map((value) => (typeof value === 'string' ? known(value) : value)));

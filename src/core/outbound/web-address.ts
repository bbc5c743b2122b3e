/** A stranger's address in the one form that a link may have: http or https, escaped by URL's own rules; else null. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

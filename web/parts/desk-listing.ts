/** The id or name of a listing in what an operator pasted: also in the address of its page. */
export function listingIn(pasted: string): string {
  const text = pasted.trim();
  const path = /^https?:\/\//.test(text) ? (URL.parse(text)?.pathname ?? '') : text;
  const [, id] = /^\/(?:marketplace|api\/marketplace\/listings)\/(.+)$/.exec(path) ?? [];
  try {
    return decodeURIComponent(id ?? text);
  } catch {
    return text;
  }
}

/** The answer of a model as output: JSON where the whole of it is JSON, fenced or not, else the text. */
export function outputOf(text: string): unknown {
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return text;
  }
}

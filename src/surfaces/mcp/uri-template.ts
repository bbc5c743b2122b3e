/** URI templates, RFC 6570 levels 1 and 2: `{name}` matches no slash, `{+path}` does. */

interface UriTemplate {
  variables: readonly string[];
  /** Returns the decoded variables of a matching URI; null if it does not match. */
  match(uri: string): Record<string, string> | null;
}

const MAX_URI_LENGTH = 2_048;

export function uriTemplate(template: string): UriTemplate {
  const variables: string[] = [];
  const pattern = template.split(/(\{\+?\w+\})/).map((part, at) => {
    if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const isPath = part.startsWith('{+');
    variables.push(part.slice(isPath ? 2 : 1, -1));
    return isPath ? '(.+)' : '([^/]+)';
  });
  const whole = new RegExp(`^${pattern.join('')}$`, 's');
  return {
    variables,
    match(uri) {
      const values = uri.length > MAX_URI_LENGTH ? null : whole.exec(uri);
      if (values === null) return null;
      try {
        return Object.fromEntries(variables.map((name, at) => [name, decodeURIComponent(values[at + 1] as string)]));
      } catch {
        return null;
      }
    },
  };
}

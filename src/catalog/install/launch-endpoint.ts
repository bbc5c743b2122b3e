import { type BoxEndpoint, MCP_TRANSPORTS } from '#core/mcp/target.ts';
import { DEFAULT_PORT, type Launch, plainName } from './launches.ts';
import { hasPlaces, isHeaderName } from './remotes.ts';

/** Where the server of a package listens that does not use standard input and output. Pure. */

type Endpoint = { endpoint: BoxEndpoint } | { fault: string };

const LOOPBACK = ['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]'];
/** The box's own DNS, and the way to the hosts that its owner grants, which nearly all listen at this port. */
const TAKEN_PORTS = [53, 443];
const PLACE = /\{([A-Za-z_][\w.-]{0,99})\}/g;

/** Why the server cannot be reached in its box, whatever its user gives; null if it can, or needs no address. */
export function launchFault(launch: Launch): string | null {
  if (launch.transport === 'stdio') return null;
  const inputs = [...launch.env, ...launch.package_arguments];
  const given = (name: string): string =>
    inputs.find((input) => input.name === name)?.default || (plainName(name) === 'host' ? '127.0.0.1' : DEFAULT_PORT);
  const found = endpointOf(launch, given);
  return 'fault' in found ? found.fault : null;
}

/** @param fieldValue The value of the environment variable or argument of this name; null if it has none. */
export function endpointOf(
  { transport, endpoint, env, package_arguments }: Launch,
  fieldValue: (name: string) => string | null,
): Endpoint {
  const way = MCP_TRANSPORTS.find((known) => known === transport);
  if (way === undefined) return { fault: 'The transport of its server is unsupported.' };
  const inputs = [...env, ...package_arguments];
  const filled = (endpoint?.url ?? '').replace(PLACE, (place, name: string) => {
    const input = inputs.find((known) => [known.name, known.hint].map(plainName).includes(plainName(name)));
    if (input === undefined) return plainName(name) === 'host' ? '127.0.0.1' : place;
    return input.value || fieldValue(input.name) || place;
  });
  if (filled === '' || hasPlaces(filled))
    return { fault: 'Its listing does not say at which port its server listens.' };
  const url = URL.parse(filled);
  if (url === null || url.protocol !== 'http:' || !LOOPBACK.includes(url.hostname))
    return { fault: 'Its listing names no address on localhost for its server.' };
  const port = Number(url.port || 80);
  if (TAKEN_PORTS.includes(port)) return { fault: `Its server listens at port ${port}, which a box uses itself.` };
  const headers = (endpoint?.headers ?? []).map((input) => [input, input.value || input.default] as const);
  if (headers.some(([input, value]) => input.required && (value === '' || hasPlaces(value))))
    return { fault: 'Its server requires headers with your own values, which packages do not receive.' };
  const sent = headers.filter(([{ name }, value]) => isHeaderName(name) && value !== '' && !hasPlaces(value));
  return {
    endpoint: {
      transport: way,
      port,
      path: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(sent.map(([{ name }, value]) => [name, value])),
    },
  };
}

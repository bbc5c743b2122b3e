import type { Config } from './settings.ts';

export const localUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export const baseUrl = ({ server }: Pick<Config, 'server'>): string =>
  server.public_url ?? localUrl(server.host, server.port);

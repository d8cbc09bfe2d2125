import { isIP } from 'node:net';
import type { Parse } from './environment.js';
import { Refused, shown } from './environment.js';

/** Never shows the URL: it may hold a password. */
export const postgresUrl: Parse<string> = (text) => {
  const form = 'postgresql://user:password@host:5432/database';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return new Refused(`not a PostgreSQL URL; allowed is ${form}`);
  if (url.pathname.length < 2) return new Refused(`names no database; allowed is ${form}`);
  if (url.searchParams.has('schema')) {
    return new Refused('the parameter schema is not supported; set the search_path of the role or the database instead');
  }
  return text;
};

export const bootstrapKey: Parse<string> = (text) =>
  /^[\x21-\x7e]{24,}$/.test(text) ? text : new Refused('not a key; allowed are 24 or more visible ASCII characters');

export const baseUrl: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = 'an http or https URL without query that ends in /v1, like https://api.example.com/v1';
  const usable = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1') && !url.search && !url.hash;
  return usable ? text : new Refused(`${shown(text)} is not allowed; allowed is ${allowed}`);
};

export const origins: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part);
  if (bad === undefined) return list;
  return new Refused(
    `${shown(bad)} is not an origin; allowed is a list such as https://shop.example.com,http://localhost:5173`,
  );
};

/** A number of hops, or the addresses that are proxies. */
export const trustedProxies: Parse<number | string[]> = (text) => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !isCidr(part));
  if (bad === undefined) return list;
  return new Refused(
    `${shown(bad)} is not allowed; allowed is a number of hops from 1 to 99, or a list of CIDRs such as 10.0.0.0/8,fd00::/8`,
  );
};

function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

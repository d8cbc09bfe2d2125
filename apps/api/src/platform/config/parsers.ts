import { isUtf8 } from 'node:buffer';
import { isIP } from 'node:net';

/** Parses the text of a variable, or returns why it is invalid. */
export type Parse<Value> = (text: string) => Value | Invalid;

/** The reason continues a sentence that starts with the name of the variable. */
export class Invalid {
  constructor(readonly reason: string) {}
}

/** Quotes an invalid value for a message. Do not use it for secrets. The text before "@" may be a password. */
function shown(text: string): string {
  const visible = text.replace(/^.*@/s, '…@');
  return JSON.stringify(visible.length > 80 ? `${visible.slice(0, 80)}…` : visible);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return new Invalid(`must be an integer from ${min} to ${max}, not ${shown(text)}`);
  };
}

/** Kubernetes sets such variables for each Service of the namespace: METRICS_PORT for one that is named "metrics". */
export function port(min: number): Parse<number> {
  const parse = integer(min, 65_535);
  return (text) => {
    const value = parse(text);
    if (!(value instanceof Invalid) || !/^(tcp|udp|sctp):\/\//.test(text)) return value;
    return new Invalid(
      `${value.reason}. Kubernetes sets it to the address of a Service. Set enableServiceLinks: false in the pod`,
    );
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) =>
    values.find((value) => value === text) ?? new Invalid(`must be one of ${values.join(', ')}, not ${shown(text)}`);
}

export const boolean: Parse<boolean> = (text) => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return new Invalid(`must be true or false, not ${shown(text)}`);
};

export const host: Parse<string> = (text) => {
  // Digits and dots alone are an IPv4 address, not a name.
  const isName = !/^[\d.]+$/.test(text) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(text);
  if (isName || isIP(text) !== 0) return text;
  return new Invalid(`must be an IP address or a host name, such as 0.0.0.0 for all addresses, not ${shown(text)}`);
};

const notPlainPath =
  /[\p{Cc}"`]|\$[\w{(]|\s#\s|^[\s\p{Cf}'\u00AB\u00BB\u2018-\u201F~$]|[\s\p{Cf}'\u00AB\u00BB\u2018-\u201F]$|^file:|^[a-z][a-z\d+.-]*:\/\//iu;

/**
 * Rejects a path that names another place than the one that was meant: no shell expands a setting, or removes its
 * quotation marks or a comment. In such a `DATA_DIR`, the service would create a second, empty store. A secret value is not
 * shown.
 */
export function localPath(kind: 'file' | 'folder', isSecret = false): Parse<string> {
  return (text) => {
    if (text !== '' && !notPlainPath.test(text)) return text;
    return new Invalid(
      `must be the path of a ${kind} without quotation marks, control characters, variables, comments, white space at an end, ` +
        `or "~", "file:" or "s3://" at the beginning${isSecret ? '' : `, not ${shown(text)}`}. Write the whole path, such as /srv/petstore`,
    );
  };
}

/** What the content of a file is if it is not UTF-8, such as what Notepad and PowerShell write. Continues a sentence. */
export function encodingFault(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark, each ASCII character has a NUL.
  if (hasMark || first === 0 || second === 0) return 'is UTF-16. Save it as UTF-8';
  if (bytes.includes(0)) return 'is not a text: it has NUL bytes. Save it as UTF-8';
  return isUtf8(bytes) ? undefined : 'is not UTF-8. Save it as UTF-8';
}

const minDistinctCharacters = 10;

export const bootstrapKey: Parse<string> = (text) => {
  const isKey = /^[\x21-\x7e]{24,}$/.test(text) && new Set(text).size >= minDistinctCharacters;
  return isKey ? text : new Invalid(bootstrapKeyRule);
};

const bootstrapKeyRule =
  `must have 24 or more visible ASCII characters, at least ${minDistinctCharacters} of them distinct. ` +
  'For example the output of openssl rand -hex 32';

export const baseUrl: Parse<string> = (text) => {
  const rule = 'must be an http or https URL without query that ends in /v1, such as https://api.example.com/v1';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is published. The message must not show it either.
  if (url?.username || url?.password) return new Invalid('must not contain a user name or a password');
  const isUsable = url?.pathname.endsWith('/v1') && /^https?:\/\/[^/?#\s*{}\\][^?#\s*{}\\]*$/i.test(text);
  return isUsable ? text : new Invalid(`${rule}, not ${shown(text)}`);
};

export const origins: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part || part.includes('*'));
  if (bad === undefined) return list;
  return new Invalid(
    'must be a list of origins in lower case, without user names, paths, slashes at the end or wildcards, such as ' +
      `https://shop.example.com,http://localhost:5173, not ${shown(bad)}`,
  );
};

/** The proxies, as Fastify takes them. */
export const trustedProxies: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const hops = list.find((part) => /^[+-]?\d+$/.test(part));
  if (hops !== undefined) return new Invalid(`must not be a number of hops, such as ${shown(hops)}: ${noHops}`);
  const bad = list.find((part) => !proxyNames.includes(part) && !isCidr(part));
  return bad === undefined ? list : new Invalid(`must be a list of ${proxyForms}, not ${shown(bad)}`);
};

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];
const proxyForms = `addresses, CIDRs or the names ${proxyNames.join(', ')}, such as loopback,10.0.0.0/8`;
const noHops = `it would let a client that reaches the port directly choose its address. Use ${proxyForms}`;

function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

import { printable } from '@petstore/contracts';
import pretty from 'pino-pretty';

/** For programs. JSON.stringify escapes only the control characters below U+0020, and terminals obey others too. */
export function formatForPrograms(line: string): string {
  return `${printable(line.trimEnd())}\n`;
}

const toText = pretty.prettyFactory({
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'requestId,method,path,status,ms,address,apiKeyId,event,name,scopes,expiresAt,count',
  singleLine: true,
  messageFormat: ({ msg, method, path, status, ms, name, count, address }) => {
    if (method === undefined) {
      const failures = count ? [[count, 'from', address].join(' ')] : [];
      return [msg, ...(name ? [name] : []), ...failures].join(': ');
    }
    return [method, path, status, ...(ms === undefined ? [msg] : [ms, 'ms'])].join(' ');
  },
});

/** One short line per request. The ignored fields are only in the JSON log. A client cannot write to the terminal. */
export function formatForPeople(line: string): string {
  return toText(JSON.parse(line, escapeText));
}

function escapeText(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // The lines of a stack trace are indented.
  return key === 'stack' ? value.split('\n').map(printable).join('\n') : printable(value);
}

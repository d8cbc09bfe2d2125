/**
 * What the statements of the service rely on. `ALTER DATABASE … SET`, `ALTER ROLE … SET` and PGOPTIONS can change all of it,
 * so every connection sends this list.
 */
export const sessionSettings: SessionSettings = {
  // The service reads dates, intervals and bytes as text in these forms. UTC, because Prisma's timestamps have no zone.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  // A NULL in an array of parameters must not become the text NULL, nor a backslash in a literal an escape.
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  // The statements are written for READ COMMITTED, and what the service confirms must be on disk.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  synchronous_commit: 'on',
  // A policy hides rows only if its owner means it. Otherwise each statement on its table would fail.
  row_security: 'on',
  // A limit would leave out random results of a search.
  gin_fuzzy_search_limit: '0',
  // Prisma's statements name this schema too. `options` in DATABASE_URL can add others, for extensions.
  search_path: 'public',
};

/** Parameters of a session and their values, as in `pg_settings`. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * The URL for every connection: adds the settings, and `more`. They win over the URL's own ones, except over a `search_path`.
 * PGOPTIONS has no effect. `sslmode` means the same as for psql: pg would verify the certificate for `require`.
 */
export function withSessionSettings(url: string, more: SessionSettings = {}): string {
  const result = new URL(url);
  const settings = { ...sessionSettings, ...more };
  const own = result.searchParams.get('options') ?? '';
  const options = Object.entries(settings)
    .filter(([name]) => name !== 'search_path' || !/search[_-]path/i.test(own))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`);
  // PostgreSQL reads them after the options.
  for (const name of Object.keys(settings)) result.searchParams.delete(name);
  result.searchParams.set('options', [own, ...options].join(' ').trim());
  result.searchParams.set('uselibpqcompat', 'true');
  return result.href;
}

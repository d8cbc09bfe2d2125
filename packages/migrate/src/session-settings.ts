/**
 * What the statements of the service rely on, and what servers differ in: `postgresql.conf`, `ALTER DATABASE … SET`,
 * `ALTER ROLE … SET` and PGOPTIONS. Every connection sends this list.
 */
export const sessionSettings: SessionSettings = {
  // The service reads times as text in this form. UTC, because Prisma's timestamps have no zone.
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // The statements are written for READ COMMITTED, and what the service confirms must be on disk.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  synchronous_commit: 'on',
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

/**
 * Makes pg treat `sslmode` as libpq does: `require` encrypts without verifying the certificate. Without this parameter, pg
 * verifies it like `verify-full` and logs a warning.
 */
export function withLibpqSslModes(url: string): string {
  const result = new URL(url);
  if (!result.searchParams.has('sslmode')) return url;
  result.searchParams.set('uselibpqcompat', 'true');
  return result.href;
}

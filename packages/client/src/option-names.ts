/**
 * Rejects options that do not exist: a misspelled filter would list everything.
 * @throws TypeError with the names that exist.
 */
export function checkOptionNames(options: object, known: Readonly<Record<string, true>>, owner: string): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new TypeError(`\`${unknown}\` is not an option of ${owner}. Options: ${Object.keys(known).join(', ')}.`);
}

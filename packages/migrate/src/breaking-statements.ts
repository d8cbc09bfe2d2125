import { breaking, type MigrationFile, readMigrations } from './migration-files.js';

/** A line of this form in a migration states why its statements do not break the previous version. */
const compatible = /^-- petstore: compatible: \S/m;

/** The changes of existing objects that can break a version of the service that does not know them. */
const breakingChanges: readonly RegExp[] = [
  /\bDROP (?!INDEX\b)/,
  /\bRENAME\b/,
  /\bSET NOT NULL\b/,
  /\bADD (COLUMN )?(?!CONSTRAINT\b)(?=.*\bNOT NULL\b)(?!.*\b(DEFAULT|GENERATED|SERIAL|BIGSERIAL)\b)/,
  /\bADD (CONSTRAINT \S+ )?(CHECK|UNIQUE|EXCLUDE|FOREIGN KEY)\b/,
  /\bADD (COLUMN )?(?!CONSTRAINT\b).*\b(CHECK|UNIQUE|REFERENCES)\b/,
  /\bCREATE UNIQUE INDEX\b/,
  /\bADD VALUE\b/,
  /\bALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/,
];

/** For each migration that may break the previous version, although its name does not end in `-breaking`: a warning. */
export async function breakingWarnings(directory: string): Promise<string[]> {
  const [, ...later] = await readMigrations(directory);
  return later.flatMap((file) => warningOf(file) ?? []);
}

function warningOf({ name, sql }: MigrationFile): string | undefined {
  if (name.endsWith(breaking) || compatible.test(sql)) return undefined;
  const found = breakingStatements(sql);
  if (found.length === 0) return undefined;
  return (
    `The migration ${name} may break the previous version of the service:\n${found.map((text) => `  ${text}`).join('\n')}\n` +
    `End its name in ${breaking}, so that the previous version refuses to run. If that version can run on this schema, add ` +
    'the line "-- petstore: compatible: REASON".'
  );
}

/** The statements of a script that change existing objects in a way that can break other code. */
export function breakingStatements(sql: string): string[] {
  const created = new Set<string>();
  return statementsOf(sql).filter((text) => {
    const [, made] = /^CREATE (?:TABLE|TYPE) (?:IF NOT EXISTS )?(\S+)/i.exec(text) ?? [];
    if (made !== undefined) created.add(plain(made));
    const [, changed] =
      /^(?:ALTER (?:TABLE|TYPE) (?:IF EXISTS )?(?:ONLY )?|CREATE UNIQUE INDEX .*? ON )([^\s(]+)/i.exec(text) ?? [];
    if (made !== undefined || (changed !== undefined && created.has(plain(changed)))) return false;
    // Each action of an ALTER TABLE: a default of one column does not excuse another.
    return actionsOf(text).some((action) => breakingChanges.some((change) => change.test(action.toUpperCase())));
  });
}

/** Statements without comments and line breaks. The texts in quotes and functions become empty. */
function statementsOf(sql: string): string[] {
  const code = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''");
  return code
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
}

/** Splits at commas outside parentheses. */
function actionsOf(text: string): string[] {
  return text.replaceAll(/\([^()]*\)/g, '()').split(',');
}

function plain(name: string): string {
  return name.replaceAll('"', '').toLowerCase();
}

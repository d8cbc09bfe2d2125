import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serialize } from 'pg-protocol';

/** How pg writes values; its types do not know it. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } })
  .utils;

/** What pg lets queries of other makers do with a connection; its types know only some of it. */
interface Wire {
  readonly stream: Duplex;
  /** The texts of its prepared statements, by their names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}

const executeAndSync = Buffer.concat([serialize.execute(), serialize.sync()]);

interface Statement {
  name: string;
  text: string;
}

interface Types {
  getTypeParser: (oid: number, format: string) => (text: string) => unknown;
}

/** What Prisma's adapter asks pg for. */
export interface NamedQuery extends Statement {
  values: unknown[];
  types: Types;
  rowMode: 'array';
}

export function isNamedQuery(given: unknown): given is NamedQuery {
  const { name, rowMode, types } = given as Partial<NamedQuery>;
  return name !== undefined && rowMode === 'array' && types !== undefined;
}

type Columns = readonly pg.FieldDef[];

export interface Result {
  fields: Columns;
  rows: unknown[][];
  rowCount: number | null;
}

/**
 * Of the statements that a connection has prepared, by name. PostgreSQL refuses a statement whose columns have changed;
 * behind PgBouncer, a migration that changes their types asks for a restart.
 */
const known = new WeakMap<Wire, Map<string, Columns>>();

function columnsOf(wire: Wire): Map<string, Columns> {
  let columns = known.get(wire);
  if (!columns) {
    columns = new Map();
    known.set(wire, columns);
  }
  return columns;
}

/**
 * A named statement outside a transaction, prepared once a connection, with its rows as arrays. pg's own query copies its
 * options, asks for the columns and makes an object of their names each time: 16 µs of the 282 of a lone get.
 */
export class PreparedQuery implements pg.Submittable {
  /** Set by pg. */
  callback?: (error: Error | null, result?: Result) => void;
  readonly name: string;
  readonly text: string;
  private readonly types: Types;
  private readonly values: unknown[];
  private columns: Map<string, Columns> | undefined;
  private readonly rows: (string | null)[][] = [];
  private rowCount: number | null = null;

  constructor({ name, text, values, types }: NamedQuery) {
    this.name = name;
    this.text = text;
    this.types = types;
    this.values = values.map((value) => prepareValue(value));
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.columns = columnsOf(wire);
    if (!wire.stream.writable) return;
    const messages = [serialize.bind({ statement: this.name, values: this.values }), executeAndSync];
    if (!this.columns.has(this.name)) messages.splice(1, 0, serialize.describe({ type: 'P' }));
    if (wire.parsedStatements[this.name] === undefined)
      messages.unshift(serialize.parse({ name: this.name, text: this.text }));
    // In one piece: a stream takes longer for each write than copying these few bytes does.
    wire.stream.write(Buffer.concat(messages));
  }

  handleRowDescription({ fields }: { fields: Columns }): void {
    this.columns?.set(this.name, fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1));
    this.rowCount = Number.isNaN(count) ? null : count;
  }

  /** Of a text without a statement. */
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    const fields = this.columns?.get(this.name) ?? [];
    let rows: unknown[][];
    try {
      const parsers = fields.map(({ dataTypeID, format }) => this.types.getTypeParser(dataTypeID, format));
      rows = this.rows.map((row) => row.map((text, index) => (text === null ? null : parsers[index]?.(text))));
    } catch (error) {
      return this.handleError(error as Error);
    }
    this.callback?.(null, { fields, rows, rowCount: this.rowCount });
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

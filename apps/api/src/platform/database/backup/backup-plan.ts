/** What a backup holds. The file src/backup-plan.ts lists the tables of this service. */
export interface BackupPlan {
  /** In the order of a restore: a table comes after the tables that it refers to. */
  readonly tables: readonly BackupTable[];
  /** Tables that triggers fill during a restore. */
  readonly rebuilt: readonly string[];
  /** A restore requires that this table has no rows. */
  readonly mainTable: string;
  /** A restore notifies the services on this channel. */
  readonly changeChannel: string;
}

export interface BackupTable {
  readonly name: string;
  /** The SQL that orders the rows. It must give the same order on every server. */
  readonly order: string;
  /** The sequence of the column `id`. */
  readonly sequence?: string;
}

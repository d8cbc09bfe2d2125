import { newIdempotencyKey } from '@petstore/client';
import { type NewPet, petFields } from '@petstore/contracts';
import { type Replacement, valueKey } from '@petstore/import-export/check-rows.js';
import { type CategoryList, compareWithStore } from '@petstore/import-export/compare.js';
import { isHeader } from '@petstore/import-export/pet-columns.js';
import { refusedFile } from '@petstore/import-export/refused-file.js';
import { ImportError } from '@petstore/import-export/send-animals.js';
import { readTable } from '@petstore/table/read-table.js';
import { type ReadOptions, TableError, tableLimits } from '@petstore/table/table.js';
import { expose } from 'comlink';
import { type ApiFailure, createClient, keyFingerprint, toApiFailure } from '../../shared/client.js';
import { checkTable } from './check-table.js';
import { guessLayout, type KnownCategory } from './guess-layout.js';
import { canContinue, type ImportOrigin, newImportRecord, toRanges } from './import-record.js';
import {
  type ImportSettings,
  newImport,
  readStored,
  removeStored,
  store,
  type StoredImport,
} from './import-storage.js';
import {
  animalsOf,
  animalsToSend,
  correctedCells,
  type ImportView,
  leftOutRows,
  newRun,
  type OpenImport,
  type RowFilter,
  rowViews,
  sendRun,
  viewOf,
} from './open-import.js';

const progressMs = 500;
const notReadable = 'It may have been moved or changed. Choose it again.';

interface ImportChange extends Partial<Pick<StoredImport, 'step' | 'existing' | 'leavesOutRepeated'>> {
  settings?: Partial<ImportSettings>;
}

/** Holds the import of a tab outside the page, which stays responsive and asks for the rows that it shows. */
class Importer {
  /** Resolves when the page has the view. */
  private report: (view: ImportView) => Promise<void> = () => Promise.resolve();
  private open: OpenImport | undefined;
  /** Why the last file was not opened. */
  private error: string | undefined;
  /** An import whose file is too large to store. */
  private awaited: StoredImport | undefined;
  private comparing = new AbortController();

  /** Opens the stored import. `report` receives every change of what the page shows. */
  async connect(report: (view: ImportView) => Promise<void>): Promise<void> {
    this.report = report;
    const stored = await readStored();
    const content = stored?.content;
    if (!content) this.awaited = stored;
    await this.tryTo(async () => {
      if (content) await this.read({ ...stored, content: undefined }, content);
    });
    if (!stored || !this.error) return;
    // Code may not have loaded, or another version of the admin has stored it. What was sent must not be sent as a new import.
    if (stored.record) this.awaited = { ...stored, content: undefined };
    else await removeStored(stored.id);
    await this.show();
  }

  async choose(name: string, content: Blob, isPasted: boolean, categories: readonly KnownCategory[]): Promise<void> {
    await this.tryTo(async () => {
      // More is refused.
      const bytes = new Uint8Array(await content.slice(0, tableLimits.unpackedBytes).arrayBuffer());
      const chosen = newImport(name, bytes, { isPasted });
      if (this.awaited?.contentHash === chosen.contentHash) return this.read(this.awaited, bytes);
      chosen.wasInterrupted = this.awaited?.record !== undefined && this.awaited.name === name;
      await this.read(chosen, bytes, categories);
    });
  }

  /** Reads the file in another way, for example another sheet. */
  async readAgain(reading: ReadOptions, categories: readonly KnownCategory[]): Promise<void> {
    const { file, bytes } = this.current;
    await this.tryTo(() => this.read({ ...file, reading: { ...file.reading, ...reading } }, bytes, categories));
  }

  /** Where the table begins, and what its first row is. The columns can be others then. */
  layOut(chosen: Parameters<typeof guessLayout>[2], categories: readonly KnownCategory[]): void {
    this.update({ settings: guessLayout(this.current.table, categories, chosen) });
  }

  update({ settings, ...change }: ImportChange): void {
    const { file } = this.current;
    this.change({ file: { ...file, ...change, settings: { ...file.settings, ...settings } } });
    if (change.step || settings) this.check();
    void this.save();
  }

  /** Says what a value means in all rows. An empty answer removes an earlier one. */
  answer({ field, value, by }: Replacement): void {
    const { replacements = [] } = this.current.file.settings;
    const others = replacements.filter((one) => valueKey(one.field, one.value) !== valueKey(field, value));
    this.update({ settings: { replacements: by === '' ? others : [...others, { field, value, by }] } });
  }

  /** Replaces cells of a refused row. */
  correct(row: number, values: Record<keyof NewPet, string>): void {
    const { corrections } = this.current.file.settings;
    this.update({ settings: { corrections: { ...corrections, [row]: correctedCells(this.current, row, values) } } });
  }

  /** Returns why the service did not answer. Other errors are thrown. */
  async compare(key: string): Promise<ApiFailure | undefined> {
    const { open } = this;
    if (!open?.checked) return undefined;
    this.comparing.abort();
    const { signal } = (this.comparing = new AbortController());
    open.comparedCount = 0;
    const client = createClient(key);
    const read = (list: CategoryList) => client.listPets(list, { signal }).pages();
    try {
      const comparing = compareWithStore(animalsOf(open), read, (count) => (open.comparedCount = count));
      const comparison = await this.whileShowing(comparing);
      if (!signal.aborted) this.change({ comparison, isCompared: true });
    } catch (error) {
      if (!signal.aborted) return toApiFailure(error);
    }
    return undefined;
  }

  /** Starts or continues the import. If it cannot continue, the animals have to be compared again. */
  async run(key: string): Promise<ApiFailure | undefined> {
    const { current } = this;
    const { contentHash, record } = current.file;
    const origin = { contentHash, serviceUrl: `${location.origin}/v1`, apiKeyId: keyFingerprint(key) };
    if (record) return canContinue(record, origin) ? this.send(key) : this.drop();
    // A second click.
    if (current.isStarting) return undefined;
    current.isStarting = true;
    try {
      return (await this.compareAgain(key)) ?? (await this.start(key, origin));
    } finally {
      current.isStarting = false;
      void this.show();
    }
  }

  /** The store may have more of the animals by now, for example from another device. Then the person has to choose again. */
  private async compareAgain(key: string): Promise<ApiFailure | undefined> {
    const { current } = this;
    const before = current.comparison?.existing.length;
    const failure = await this.compare(key);
    if (current.comparison?.existing.length !== before) this.update({ existing: undefined });
    return failure;
  }

  private async start(key: string, origin: ImportOrigin): Promise<ApiFailure | undefined> {
    const { current } = this;
    const { id, reading, existing, wasInterrupted } = current.file;
    const isChosen = current.comparison?.existing.length === 0 || existing !== undefined || wasInterrupted;
    // The person may have closed the import meanwhile.
    if (this.open !== current || !current.isCompared || !isChosen) return undefined;
    const stored = await readStored();
    if (stored?.record && stored.id !== id) {
      throw new ImportError('Another import of this device is not finished. Reload the page to see it.');
    }
    const leftOut = toRanges([...leftOutRows(current)]);
    const settings = this.rowSettings;
    current.file = { ...current.file, record: newImportRecord({ ...origin, reading, settings, leftOut }) };
    await this.save();
    this.prepareRun();
    return this.send(key);
  }

  /** The requests that are running end first. */
  pause(): void {
    this.open?.run?.abort.abort();
    void this.show();
  }

  /** Forgets the import. The animals that it added stay. */
  async close(): Promise<void> {
    const id = this.open?.file.id ?? this.awaited?.id;
    this.comparing.abort();
    this.pause();
    this.open = this.awaited = this.error = undefined;
    if (id !== undefined) await removeStored(id);
    await this.show();
  }

  rows(filter: RowFilter, count: number) {
    return this.open ? rowViews(this.open, filter, count) : [];
  }

  /** The numbers of the new animals, in the order of the file. */
  createdIds(): bigint[] {
    return rowViews(this.current, 'created').flatMap(({ petId }) => petId ?? []);
  }

  /** A CSV text of the rows that were refused, with the reasons. */
  refusedRows(): string {
    const reasons = rowViews(this.current, 'refused').map(({ row, reason = '' }) => [row, reason] as const);
    return refusedFile(this.current.table, this.rowSettings, new Map(reasons));
  }

  private get current(): OpenImport {
    if (!this.open) throw new Error('No import is open.');
    return this.open;
  }

  private get rowSettings() {
    const { settings } = this.current.file;
    return { ...settings, hasHeader: settings.hasHeader === true };
  }

  private prepareRun(): void {
    const { current } = this;
    if (current.file.record) this.change({ run: newRun(animalsToSend(current)) });
  }

  private async send(key: string): Promise<ApiFailure | undefined> {
    const { file, run } = this.current;
    if (!run || run.step === 'running' || !file.record) return undefined;
    const { isComplete, failure } = await this.whileShowing(sendRun(run, file.record, key));
    if (isComplete) await removeStored(file.id);
    this.change({});
    // The page says how it ended.
    await this.show();
    return failure && toApiFailure(failure);
  }

  /** The service has forgotten the idempotency keys of the import, or the API key is another one. */
  private async drop(): Promise<undefined> {
    const { current } = this;
    await removeStored(current.file.id);
    current.file = { ...current.file, id: newIdempotencyKey(), record: undefined, wasInterrupted: true };
    current.run = undefined;
    this.update({ step: 'check', existing: 'leaveOut' });
  }

  private async tryTo(read: () => Promise<void>): Promise<void> {
    this.error = undefined;
    await read().catch((error: unknown) => {
      this.open = undefined;
      this.error = error instanceof TableError ? error.message : notReadable;
    });
    await this.show();
  }

  /** With `categories`, the columns are guessed. Without them, the import opens where it was. */
  private async read(file: StoredImport, bytes: Uint8Array, categories?: readonly KnownCategory[]): Promise<void> {
    const table = await readTable(bytes, { ...file.reading, isHeader, fields: petFields });
    // Another file replaces it.
    if (this.awaited && this.awaited.id !== file.id) await removeStored(this.awaited.id);
    this.awaited = undefined;
    this.open = { file, bytes, table, isStored: true, isCompared: false, version: 0, comparedCount: 0 };
    if (categories) {
      const layout = guessLayout(table, categories);
      return this.update({ step: 'match', settings: { ...layout, replacements: [], corrections: {} } });
    }
    this.check();
    this.prepareRun();
  }

  /** The comparison may be another one. Until it is known, the page shows the last one. */
  private check(): void {
    const { file, table, comparison } = this.current;
    const checked = file.step === 'check' ? checkTable(table, file.settings) : undefined;
    this.comparing.abort();
    this.change({ checked, comparison: checked && comparison, isCompared: false, comparedCount: 0 });
  }

  private change(change: Partial<OpenImport>): void {
    Object.assign(this.current, change, { version: this.current.version + 1 });
    void this.show();
  }

  private async save(): Promise<void> {
    const { open } = this;
    if (!open) return;
    open.isStored = await store(open.file, open.bytes);
    void this.show();
  }

  private async whileShowing<T>(work: Promise<T>): Promise<T> {
    void this.show();
    const timer = setInterval(() => void this.show(), progressMs);
    return work.finally(() => clearInterval(timer));
  }

  private show(): Promise<void> {
    const { open, error, awaited } = this;
    return this.report(open ? viewOf(open) : { step: 'choose', error, awaited: awaited?.name });
  }
}

export type ImportWorker = Importer;
expose(new Importer());

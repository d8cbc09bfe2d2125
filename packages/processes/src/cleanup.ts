import { constants } from 'node:os';

/** What has to be undone, whatever happens: the last first, each even if another fails. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];
  #run: Promise<void> | undefined;

  /**
   * Makes something that is undone at the end, also when the end comes while it is still being made.
   * @throws Error once the undoing has begun: nothing is made any more.
   */
  own<Thing>(make: () => Promise<Thing>, undo: (thing: Thing) => unknown): Promise<Thing> {
    if (this.#run) throw new Error('Everything is being stopped.');
    const making = make();
    this.#steps.unshift(() => making.then(undo, () => undefined));
    return making;
  }

  run(): Promise<void> {
    return (this.#run ??= this.#undo());
  }

  async #undo(): Promise<void> {
    for (const step of this.#steps) {
      await step().catch((error: Error) => console.error(`Not cleaned up: ${error.message}`));
    }
  }
}

/** A signal undoes everything and ends the process; another one meanwhile changes nothing. */
export function cleanUpAtSignals(cleanup: Cleanup): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void cleanup.run().then(() => process.exit(128 + constants.signals[signal])));
  }
}

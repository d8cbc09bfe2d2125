import { constants } from 'node:os';

/** Cleanup steps. They run in reverse order, each even if another fails. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];
  #run: Promise<void> | undefined;

  /**
   * Creates something and registers its cleanup, which also runs if the cleanup starts during the creation.
   * @throws Error after the cleanup has started.
   */
  own<Thing>(create: () => Promise<Thing>, undo: (thing: Thing) => unknown): Promise<Thing> {
    if (this.#run) throw new Error('The cleanup has started.');
    const creating = create();
    this.#steps.unshift(() => creating.then(undo, () => undefined));
    return creating;
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

/** A signal runs the cleanup, then ends the process. Further signals are ignored. */
export function cleanUpAtSignals(cleanup: Cleanup): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void cleanup.run().then(() => process.exit(128 + constants.signals[signal])));
  }
}

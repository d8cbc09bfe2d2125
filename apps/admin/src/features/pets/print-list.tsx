import { Button } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { ChecklistIcon } from '../../shared/icons.js';
import { lazyComponent } from '../../shared/load-code.js';
import type { ListSearch } from './list-search.js';
import classes from './list.module.css';

const PrintSheet = lazyComponent(async () => (await import('./print-sheet.js')).PrintSheet);

/** Prints the whole list, also by Ctrl-P, which would print the visible page only. */
export function PrintList({ search }: { search: ListSearch }) {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const printAll = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setIsPrinting(true);
    };
    addEventListener('keydown', printAll);
    return () => removeEventListener('keydown', printAll);
  }, []);
  return (
    <>
      <Button
        variant="subtle"
        className={classes.print}
        aria-label="Print list"
        title="Print list"
        aria-busy={isPrinting}
        onClick={() => setIsPrinting(true)}
      >
        <ChecklistIcon />
      </Button>
      <Suspense>{isPrinting && <PrintSheet search={search} onDone={() => setIsPrinting(false)} />}</Suspense>
    </>
  );
}

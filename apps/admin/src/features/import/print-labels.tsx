import { Button } from '@mantine/core';
import { formatCount } from '../../shared/format-count.js';
import { tryStorage } from '../../shared/browser-storage.js';
import type { RowResult } from './import-rows.js';

/** Opens the page of labels with the animals that were added. */
export function PrintLabels({ rows }: { rows: readonly RowResult[] }) {
  const ids = rows.flatMap((row) => (row.state === 'added' ? [String(row.petId)] : []));
  if (ids.length === 0) return null;
  const store = () => tryStorage(() => sessionStorage.setItem('petstore.labels', JSON.stringify(ids)));
  return (
    <Button component="a" href="/labels" variant="default" onClick={store}>
      Print {formatCount(ids.length)} {ids.length === 1 ? 'label' : 'labels'}
    </Button>
  );
}

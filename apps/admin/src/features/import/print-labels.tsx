import { ButtonLink } from '../../shared/links.js';
import { formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { rememberImportedPets } from '../../shared/browser-storage.js';
import type { RowResult } from './import-rows.js';

/** Opens the page of labels with the animals that were added. */
export function PrintLabels({ rows }: { rows: readonly RowResult[] }) {
  const ids = rows.flatMap((row) => (row.state === 'added' ? [row.petId] : []));
  if (ids.length === 0) return null;
  return (
    <ButtonLink
      to="/labels"
      search={{ animals: 'imported' }}
      variant="default"
      leftSection={<PrinterIcon />}
      onClick={() => rememberImportedPets(ids)}
    >
      Print {formatCount(ids.length)} {ids.length === 1 ? 'label' : 'labels'}
    </ButtonLink>
  );
}
